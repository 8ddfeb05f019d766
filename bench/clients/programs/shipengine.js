/**
 * ShipEngine with shipengine: addresses, rates of a shipment, labels bought from a rate and from details, tracking,
 * and a void.
 * JSON over REST with snake_case names, which the library turns into camelCase. It has no method to read a label or
 * its file: those two are plain requests. An address is given for each label, and the carrier is one that the account
 * has.
 */
import shipengine from 'shipengine'

const { ShipEngine, ShipEngineError } = shipengine
const key = 'TEST_key-of-the-test'

export default {
  connect: ({ address }) =>
    new ShipEngine({ apiKey: key, baseURL: address('https://api.shipengine.com'), retries: 0, timeout: 5000 }),
  steps: [
    {
      name: 'validate addresses',
      does: 'Answers for each address in their order, with the address as it was sent and the one that matches.',
      source: 'POST /v1/addresses/validate; original_address "The original address that was sent for validation"',
      needs: 'overlay',
      class: 'made-values',
      async run({ client, check }) {
        const results = await client.validateAddresses([toAddress('tower'), toAddress('hall')])
        const sent = results.map(({ originalAddress }) => originalAddress.name)
        check.wrong.equal(sent, ['Tilda Marsh', 'Hugo Finch'], 'names of the original addresses')
        check.equal(results[0]?.originalAddress.addressLine1, '233 S Wacker Dr', 'addressLine1', 'values')
        check.equal(results[1]?.originalAddress.postalCode, '10007', 'postalCode', 'values')
        for (const { status, normalizedAddress } of results) {
          check(['verified', 'warning', 'unverified', 'error'].includes(status), `a known status (${status})`)
          check(status === 'error' || normalizedAddress, 'an address that matches')
        }
        check.equal(results[0]?.normalizedAddress?.stateProvince, 'IL', 'stateProvince of the address that matches')
      },
    },
    {
      name: 'validate an address that does not exist',
      does: 'Does not verify it: the status is error or unverified, and a message says what is wrong.',
      source: 'POST /v1/addresses/validate: address_validation_status "unverified", "error"; messages',
      needs: 'more',
      class: 'made-values',
      async run({ client, check }) {
        const nowhere = { ...toAddress('tower'), addressLine1: '99999 Nowhere Parade', postalCode: '00000' }
        const [result] = await client.validateAddresses([nowhere])
        check.equal(result?.originalAddress.addressLine1, '99999 Nowhere Parade', 'addressLine1', 'values')
        check(['error', 'unverified'].includes(result?.status), `status error or unverified (${result?.status})`)
        check(result?.messages.length > 0, 'a message')
      },
    },
    {
      name: 'ask for rates',
      does: 'Makes a pending shipment of the details and answers with rates of the carriers that were asked for.',
      source:
        'GET /v1/carriers; POST /v1/rates: rate_options.carrier_ids; partial_shipment; rate_response; se_id: pattern',
      needs: 'more',
      class: 'first-state',
      async run({ client, kept, check }) {
        const carriers = await client.listCarriers()
        check(carriers.length > 0, 'a carrier of the account')
        const carrier = carriers.find(({ services }) => services.some(({ domestic }) => domestic)) ?? carriers[0]
        kept.carrier = { id: carrier?.carrierId ?? 'se-774190', code: carrier?.carrierCode ?? 'stamps_com' }
        kept.service = carrier?.services.find(({ domestic }) => domestic)?.serviceCode ?? 'usps_priority_mail'
        const shipment = await client.getRatesWithShipmentDetails(toRequest(kept.carrier))
        kept.shipment = shipment.shipmentId
        check.wrong(isId(shipment.shipmentId), `an id that begins with se- (${shipment.shipmentId})`, 'keys')
        check.equal(shipment.shipmentStatus, 'pending', 'shipmentStatus')
        check.wrong(shipment.shipmentStatus !== 'cancelled', 'not cancelled')
        check(isRecent(shipment.createdAt), `createdAt is now (${shipment.createdAt})`, 'times')
        check.equal(shipment.shipTo?.name, 'Hugo Finch', 'name of shipTo', 'values')
        check.equal(shipment.shipFrom?.addressLine1, '233 S Wacker Dr', 'addressLine1 of shipFrom', 'values')
        check.equal(shipment.packages[0]?.weight, { value: 27, unit: 'ounce' }, 'weight', 'values')
        check.equal(shipment.totalWeight, { value: 27, unit: 'ounce' }, 'totalWeight', 'made-values')
        const { rates, shipmentId } = shipment.rateResponse
        check.wrong.equal(shipmentId, shipment.shipmentId, 'shipmentId of the answer with the rates', 'references')
        check(rates.length > 0, 'a rate', 'made-values')
        check.wrong.equal(new Set(rates.map(({ rateId }) => rateId)).size, rates.length, 'different rates', 'keys')
        check.wrong(
          rates.every(({ carrierId }) => carrierId === kept.carrier.id),
          'rates of the carrier',
          'filters',
        )
        // The labels of later steps have packages of no special type.
        const rate = rates.findLast(({ packageType }) => packageType === 'package') ?? rates.at(-1)
        if (rate) Object.assign(kept, { rate, service: rate.serviceCode })
      },
    },
    {
      name: 'ask for rates of one service',
      does: 'Answers only with rates of the service that was asked for, for another new shipment.',
      source: 'POST /v1/rates: rate_options.service_codes',
      needs: 'more',
      class: 'filters',
      async run({ client, kept, check }) {
        const request = toRequest(kept.carrier)
        request.rateOptions.serviceCodes = [kept.rate.serviceCode]
        const shipment = await client.getRatesWithShipmentDetails(request)
        check.wrong(isId(shipment.shipmentId) && shipment.shipmentId !== kept.shipment, 'another shipment', 'keys')
        check.equal(shipment.shipTo?.name, 'Hugo Finch', 'name of shipTo', 'values')
        const codes = [...new Set(shipment.rateResponse.rates.map(({ serviceCode }) => serviceCode))]
        check.equal(codes, [kept.rate.serviceCode], 'serviceCode of the rates')
      },
    },
    {
      name: 'create a label from a rate',
      does: 'Buys the label for the shipment, carrier and service of the rate.',
      source: 'POST /v1/labels/rates/{rate_id}: label.shipment_id, carrier_id, service_code; label_status "completed"',
      needs: 'more',
      class: 'references',
      async run({ client, kept, check }) {
        const { rateId, serviceCode } = kept.rate
        const label = await client.createLabelFromRate({ rateId, labelFormat: 'png', labelLayout: '4x6' })
        check.wrong(isId(label.labelId), `an id that begins with se- (${label.labelId})`, 'keys')
        check.wrong.equal(label.shipmentId, kept.shipment, 'shipmentId')
        check.wrong.equal(label.carrierId, kept.carrier.id, 'carrierId')
        check.wrong.equal(label.serviceCode, serviceCode, 'serviceCode')
        check.equal(label.labelFormat, 'png', 'labelFormat', 'values')
        check.equal(label.status, 'completed', 'status', 'first-state')
        check.wrong(label.voided !== true, 'not voided', 'first-state')
        check.equal(label.voided, false, 'voided', 'first-state')
      },
    },
    {
      name: 'create labels from details',
      does: 'Buys two labels with an own id, shipment and tracking number each; they have the packages that were sent.',
      source: 'POST /v1/labels: label.packages, voided, is_return_label, created_at; label_status "completed"',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const light = await client.createLabelFromShipmentDetails(toLabel(kept, 13))
        const heavy = await client.createLabelFromShipmentDetails(toLabel(kept, 41))
        kept.light = light
        kept.heavy = heavy
        check.wrong(isId(light.labelId) && isId(heavy.labelId), `ids that begin with se- (${light.labelId})`, 'keys')
        check.wrong(light.labelId !== heavy.labelId, 'different labels', 'keys')
        check.wrong(light.shipmentId !== heavy.shipmentId, 'different shipments', 'keys')
        check(light.trackingNumber && light.trackingNumber !== heavy.trackingNumber, 'different tracking numbers')
        check.equal(light.carrierId, kept.carrier.id, 'carrierId', 'values')
        check.equal(light.carrierCode, kept.carrier.code, 'carrierCode', 'references')
        check.equal(light.serviceCode, kept.service, 'serviceCode', 'values')
        check.equal(light.packages[0]?.weight, { value: 13, unit: 'ounce' }, 'weight of the one', 'values')
        check.equal(heavy.packages[0]?.weight, { value: 41, unit: 'ounce' }, 'weight of the other', 'values')
        check.equal(light.packages.length, 1, 'number of packages', 'values')
        check.equal(light.status, 'completed', 'status')
        check.wrong(light.voided !== true, 'not voided')
        check.equal(light.voided, false, 'voided')
        check.equal(light.isReturnLabel, false, 'isReturnLabel')
        check.equal(light.isInternational, false, 'isInternational', 'made-values')
        check.equal(light.labelFormat, 'pdf', 'labelFormat', 'values')
        check(isRecent(light.createdAt), `createdAt is now (${light.createdAt})`, 'times')
      },
    },
    {
      name: 'create a return label',
      does: 'Buys a label for the way back, with the number of the return.',
      source: 'POST /v1/labels: is_return_label; rma_number "An optional Return Merchandise Authorization number"',
      needs: 'overlay',
      class: 'values',
      async run({ client, kept, check }) {
        const details = { ...toLabel(kept, 13), isReturnLabel: true, rmaNumber: 'RMA-2207-K' }
        const label = await client.createLabelFromShipmentDetails(details)
        check.wrong(isId(label.labelId) && label.labelId !== kept.light.labelId, 'a label of its own', 'keys')
        check.equal(label.isReturnLabel, true, 'isReturnLabel')
        check.equal(label.rmaNumber, 'RMA-2207-K', 'rmaNumber')
        check.equal(label.status, 'completed', 'status', 'first-state')
      },
    },
    {
      name: 'track labels by their ids',
      does: 'Answers with the tracking number of each label, and a status.',
      source: 'GET /v1/labels/{label_id}/track: tracking_information.tracking_number, status_code, events',
      needs: 'overlay',
      class: 'references',
      async run({ client, kept, check }) {
        check.wrong(kept.light.trackingNumber !== kept.heavy.trackingNumber, 'different numbers')
        for (const { labelId, trackingNumber } of [kept.light, kept.heavy]) {
          const tracking = await client.trackUsingLabelId(labelId)
          check.wrong(trackingNumber && tracking.trackingNumber === trackingNumber, 'tracking number of the label')
          check(/^[A-Z]{2}$/.test(tracking.statusCode), `a statusCode of two letters (${tracking.statusCode})`)
        }
      },
    },
    {
      name: 'track by carrier and number',
      does: 'Answers with the tracking number that was asked for.',
      source: 'GET /v1/tracking: carrier_code, tracking_number; tracking_information.tracking_number',
      needs: 'overlay',
      class: 'filters',
      async run({ client, kept, check }) {
        check.wrong(kept.light.trackingNumber !== kept.heavy.trackingNumber, 'different numbers')
        for (const { trackingNumber } of [kept.light, kept.heavy]) {
          const carrierCode = kept.carrier.code
          const tracking = await client.trackUsingCarrierCodeAndTrackingNumber({ carrierCode, trackingNumber })
          check.wrong(trackingNumber && tracking.trackingNumber === trackingNumber, 'the tracking number')
        }
      },
    },
    {
      name: 'download the labels',
      does: 'Each label has an own address of its file, which is a PDF.',
      source: 'label.label_download: pdf; GET /v1/downloads/{dir}/{subdir}/{filename}: application/pdf',
      needs: 'more',
      class: 'uploads',
      async run({ kept, check, address }) {
        const urls = [kept.light, kept.heavy].map(({ labelDownload }) => labelDownload?.pdf || labelDownload?.href)
        check.wrong(urls[0] !== urls[1], `an own address for each label (${urls[0]})`, 'made-values')
        for (const url of urls) {
          const { pathname } = new URL(url)
          const answer = await fetch(`${address('https://api.shipengine.com')}${pathname}`)
          check.wrong.equal(answer.status, 200, 'status of the download')
          check((await answer.text()).startsWith('%PDF-'), 'a PDF file')
        }
      },
    },
    {
      name: 'void a label',
      does: 'The label goes from completed to voided, with the time; the other label stays.',
      source: 'PUT /v1/labels/{label_id}/void: approved; GET /v1/labels/{label_id}: status, voided, voided_at',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check, address }) {
        const before = await readLabel(address, kept.light.labelId)
        check.wrong.equal(before.label_id, kept.light.labelId, 'label_id', 'keys')
        check.equal(before.voided, false, 'voided before', 'first-state')
        const { approved, message } = await client.voidLabelWithLabelId(kept.light.labelId)
        check.wrong.equal(approved, true, 'approved')
        check(message, 'a message')
        const after = await readLabel(address, kept.light.labelId)
        check.wrong.equal(after.voided, true, 'voided after')
        check.equal(after.status, 'voided', 'status after')
        check(isRecent(after.voided_at), `voided_at is now (${after.voided_at})`, 'times')
        const other = await readLabel(address, kept.heavy.labelId)
        check.wrong.equal(
          [other.label_id, other.voided === true],
          [kept.heavy.labelId, false],
          'id of the other label, and whether it is voided',
          'state',
        )
      },
    },
    {
      name: 'track and void a label that does not exist',
      does: 'A label that exists is found. Another answers 404, and the library throws ShipEngineError with a request id.',
      source: 'GET /v1/labels/{label_id}/track, PUT …/void: 404; error_response_body: request_id, errors',
      needs: 'document',
      class: 'errors',
      async run({ client, kept, check, fails, address, exchanges }) {
        const { labelId } = kept.heavy
        const known = await readLabel(address, labelId)
        check.wrong.equal(known.label_id, labelId, 'label_id of the label that exists', 'state')
        for (const call of ['trackUsingLabelId', 'voidLabelWithLabelId']) {
          const error = await fails(() => client[call]('se-990099009'))
          check.wrong(error instanceof ShipEngineError, `ShipEngineError (${error})`)
          check.wrong.equal(exchanges().at(-1)?.status, 404, 'status')
          check(isUuid(error.requestID), `requestID is a UUID (${error.requestID})`)
          check(error.code, `a code (${error.code})`)
        }
      },
    },
    {
      name: 'create a label without an address',
      does: 'Refuses it with 400, and the library throws ShipEngineError of the type validation.',
      source: 'POST /v1/labels: 400; shipment: required ship_to; error_type "validation"',
      needs: 'document',
      class: 'validation',
      async run({ client, kept, check, fails, exchanges }) {
        const label = toLabel(kept, 13)
        label.shipment.shipTo = undefined
        const error = await fails(() => client.createLabelFromShipmentDetails(label))
        check.wrong(error instanceof ShipEngineError, `ShipEngineError (${error})`)
        check.wrong.equal(exchanges().at(-1)?.status, 400, 'status')
        check.equal(error.type, 'validation', 'type', 'errors')
        check(isUuid(error.requestID), `requestID is a UUID (${error.requestID})`, 'errors')
      },
    },
  ],
}

/** The library has no method for this. */
async function readLabel(address, id) {
  const answer = await fetch(`${address('https://api.shipengine.com')}/v1/labels/${id}`, {
    headers: { 'API-Key': key },
  })
  return answer.json()
}

function toAddress(place) {
  const places = {
    tower: ['Tilda Marsh', '233 S Wacker Dr', 'Chicago', 'IL', '60606'],
    hall: ['Hugo Finch', '260 Broadway', 'New York', 'NY', '10007'],
  }
  const [name, addressLine1, cityLocality, stateProvince, postalCode] = places[place]
  const rest = { phone: '312-555-0144', countryCode: 'US', addressResidentialIndicator: 'no' }
  return { name, addressLine1, cityLocality, stateProvince, postalCode, ...rest }
}

function toShipment(ounces) {
  const weight = { value: ounces, unit: 'ounce' }
  const dimensions = { unit: 'inch', length: 9, width: 7, height: 4 }
  return { shipTo: toAddress('hall'), shipFrom: toAddress('tower'), packages: [{ weight, dimensions }] }
}

function toRequest(carrier) {
  return {
    rateOptions: { carrierIds: [carrier.id] },
    shipment: { validateAddress: 'no_validation', ...toShipment(27) },
  }
}

function toLabel({ carrier, service }, ounces) {
  const shipment = { carrierId: carrier.id, serviceCode: service, ...toShipment(ounces) }
  return { shipment, labelFormat: 'pdf', labelLayout: '4x6' }
}

function isId(text) {
  return /^se(-[a-z0-9]+)+$/.test(text)
}

function isUuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isRecent(time) {
  return Math.abs(new Date(time).getTime() - Date.now()) < 86_400_000
}
