// A query or a body that has the key of one record, by the noun of its path: `?travelPlanId=1`.
import { it } from 'vitest'
import { runScript, type Script } from '../support/script.js'
import { integer, list, named, object, text, toDocument } from '../support/sketch.js'

const plans = toDocument(
  {
    'GET /TravelPlan': { summary: 'Gets one plan', query: ['travelPlanId'], 200: list(named('Plan')) },
    'DELETE /TravelPlan': { summary: 'Deletes a plan', query: ['travelPlanId'], 200: null },
    'POST /TravelPlan/create': { body: object({ title: text }), 200: named('Plan') },
    'POST /TravelPlan/update': { body: object({ travelPlanId: integer, title: text }), 200: null },
  },
  { Plan: object({ 'id!': integer, 'title!': text }) },
)

const orders = toDocument(
  {
    'GET /WorkOrder': { 200: list(named('Order')) },
    'GET /WorkOrder/details': { query: ['workOrderId!'], 200: named('Order') },
    'POST /WorkOrder/create': { body: object({ title: text }), 200: named('Order') },
    'PUT /WorkOrder/edit': { query: ['workOrderId!'], body: object({ title: text }), 200: named('Order') },
    'DELETE /WorkOrder/remove': { body: object({ workOrderId: integer }), 204: null },
  },
  { Order: object({ 'id!': integer, 'title!': text }) },
)

const lamps = toDocument(
  {
    'GET /lamps': { query: ['lampUuid'], 200: named('Lamp') },
    'POST /lamps': { body: object({ title: text }), 201: named('Lamp') },
    'PATCH /lamps': { query: ['lamp_uuid!'], body: object({ title: text }), 204: null },
    'DELETE /lamps': { query: ['lampId!'], 204: null },
    'GET /lamps/all': { 200: list(named('Lamp')) },
  },
  { Lamp: object({ 'id!': integer, 'title!': text }) },
)

const reports = toDocument(
  {
    'GET /FieldReport': { query: ['fieldReportIds'], 200: list(named('Report')) },
    'POST /FieldReport': { body: object({ title: text }), 201: named('Report') },
    'DELETE /FieldReport': { summary: 'Deletes field reports', query: ['fieldReportIds!'], 204: null },
  },
  { Report: object({ 'id!': integer, 'title!': text }) },
)

const scripts: Script[] = [
  {
    name: 'reads, changes and deletes a record by all words of its path',
    document: plans,
    steps: `
      POST /TravelPlan/create {"title":"a"} -> 200 {"id":1,"title":"a"}
      POST /TravelPlan/create {"title":"b"} -> 200 {"id":2,"title":"b"}
      GET /TravelPlan?travelPlanId=1 -> 200 [{"id":1,"title":"a"}]
      POST /TravelPlan/update {"travelPlanId":1,"title":"c"} -> 200
      DELETE /TravelPlan?travelPlanId=2 -> 200
      GET /TravelPlan -> 200 [{"id":1,"title":"c"}]
      GET /TravelPlan?travelPlanId=2 -> 200 []
    `,
  },
  {
    name: 'reads details of a record, and removes the one in the body',
    document: orders,
    steps: `
      POST /WorkOrder/create {"title":"a"} -> 200 {"id":1,"title":"a"}
      PUT /WorkOrder/edit?workOrderId=1 {"title":"b"} -> 200 {"id":1,"title":"b"}
      GET /WorkOrder/details?workOrderId=1 -> 200 {"id":1,"title":"b"}
      DELETE /WorkOrder/remove {"workOrderId":1} -> 204
      GET /WorkOrder/details?workOrderId=1 -> 404
      GET /WorkOrder -> 200 []
    `,
  },
  {
    name: 'reads one record of several by an optional parameter',
    document: lamps.replaceAll('"id"', '"uuid"'),
    steps: `
      POST /lamps {"title":"a"} -> 201 {"uuid":1,"title":"a"}
      POST /lamps {"title":"b"} -> 201 {"uuid":2,"title":"b"}
      GET /lamps?lampUuid=1 -> 200 {"uuid":1,"title":"a"}
      PATCH /lamps?lamp_uuid=1 {"title":"c"} -> 204
      DELETE /lamps?lampId=2 -> 204
      GET /lamps/all -> 200 [{"uuid":1,"title":"c"}]
    `,
  },
  {
    name: 'deletes the records of several keys',
    document: reports,
    steps: `
      POST /FieldReport {"title":"a"} -> 201 {"id":1,"title":"a"}
      POST /FieldReport {"title":"b"} -> 201 {"id":2,"title":"b"}
      GET /FieldReport?fieldReportIds=2 -> 200 [{"id":2,"title":"b"}]
      DELETE /FieldReport?fieldReportIds=1 -> 204
      GET /FieldReport -> 200 [{"id":2,"title":"b"}]
    `,
  },
]

it.each(scripts)('$name', runScript)
