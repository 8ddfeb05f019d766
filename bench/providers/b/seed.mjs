// Two agencies with data. All fixed, so that every start gives the same records.
export function seed(db, { clientData, translatorData, projectData }) {
  const user = db.prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?)')
  user.run('north-alice-5f0c1d7e', 'alice', 'Alice Nordmann', 'admin', 'north')
  user.run('south-bob-9ab27e41', 'bob', 'Bob Südhoff', 'member', 'south')
  const at = (day, min) => new Date(Date.UTC(2025, 0, day, 8, min)).toISOString()
  const addClient = db.prepare(
    'INSERT INTO clients (tenant, code, created_at, updated_at, data) VALUES (?, ?, ?, ?, ?)',
  )
  const addTerm = db.prepare('INSERT INTO terms VALUES (?, ?, ?, ?)')
  const addTranslator = db.prepare('INSERT INTO translators (tenant, email_key, created_at, data) VALUES (?, ?, ?, ?)')
  const addProject = db.prepare('INSERT INTO projects VALUES (?, ?, ?, ?, ?, ?)')
  const addJob = db.prepare(
    'INSERT INTO jobs (project_id, state, translator_id, delivered_at, created_at, data) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const C = [
    ['north', 'Umbra Optics', 'UMB-0001', 'DE', ['optics'], true, 250000],
    ['north', 'Brückner & Söhne', 'BRK-0002', 'DE', ['legal', 'key-account'], true, 1000000],
    ['north', 'Atelier Fontaine', 'ATF-0003', 'FR', [], true, 0],
    ['north', 'Northwind Freight', 'NWF-0004', 'GB', ['logistics'], false, 50000],
    ['north', 'Cantina Rossi', 'CAR-0005', 'IT', ['food'], true, 75000],
    ['north', 'Helvetia Med', 'HEM-0006', 'CH', ['medical', 'key-account'], true, 6000000000],
    ['north', 'Delta Pumps', 'DLP-0007', 'DE', ['industry'], true, 120000],
    ['north', 'Éditions du Lac', 'EDL-0008', 'FR', ['print'], false, 30000],
    ['north', 'Green Valley Foods', 'GVF-0009', 'GB', ['food'], true, 90000],
    ['north', 'Zephyr Energy', 'ZPH-0010', 'DE', ['energy', 'legal'], true, 400000],
    ['north', 'Porto Shipping', 'PRS-0011', 'PT', ['logistics'], true, 60000],
    ['north', 'Quantum Labs', 'QTL-0012', 'CH', ['research'], true, 800000],
    ['north', 'Ivory Games', 'IVG-0013', 'US', ['games'], true, 20000],
    ['south', 'Sierra Tiles', 'SRT-0001', 'ES', ['industry'], true, 40000],
    ['south', 'Olivar Verde', 'OLV-0002', 'ES', ['food'], true, 15000],
    ['south', 'Costa Clinic', 'COC-0003', 'PT', [], true, 0],
  ]
  C.forEach(([tenant, name, code, country, tags, active, creditLimitCents], i) => {
    const data = clientData({
      name,
      code,
      email: `office@${code.slice(0, 3).toLowerCase()}.example`,
      website: i % 3 ? `https://www.${code.slice(0, 3).toLowerCase()}.example/` : null,
      country,
      address:
        i % 4 === 3
          ? null
          : { street: `${i + 1} Market Street`, city: 'Springfield', ...(i % 2 ? {} : { postalCode: `1${i}0-22` }) },
      billing:
        i % 2
          ? { method: 'sepa', iban: 'DE02120300000000202051', mandateDate: '2024-11-05' }
          : { method: 'invoice', email: 'billing@example.org', paymentDays: 14 },
      tags,
      active,
      note: i % 5 === 0 ? 'Prefers calls in the morning.' : null,
      creditLimitCents,
    })
    addClient.run(tenant, code, at(2, i * 3), at(2, i * 3), JSON.stringify(data))
  })
  const terms = [
    [1, 'lens', 'Linse', 'de', false, null],
    [1, 'aperture', 'Blende', 'de', false, 'not: Öffnung'],
    [1, 'shutter', 'Klappe', 'de', true, 'use Verschluss'],
    [1, 'flash', 'éclair', 'fr', true, null],
    [2, 'liability', 'Haftung', 'de', false, null],
    [14, 'tile', 'azulejo', 'es', false, null],
  ]
  for (const [c, source, target, language, forbidden, comment] of terms)
    addTerm.run(c, source, at(3, 0), JSON.stringify({ target, language, forbidden, comment }))
  const T = [
    ['north', 'Marta Keller', 'marta@keller.example', ['de', 'en'], 55, 4.5, true],
    ['north', 'Luis Prado', 'luis.prado@mail.example', ['es', 'pt', 'en'], 38.5, null, true],
    ['north', 'Zoë Lindqvist', 'zoe@lindqvist.example', ['sv', 'en-GB'], 62, 4.9, true],
    ['north', 'Huber, Franz', 'franz.huber@post.example', ['de-AT', 'it'], 100, 3.8, false],
    ['north', 'Aiko Tanaka', 'aiko@tanaka.example', ['ja', 'en'], 120.5, 5, true],
    ['north', 'Pierre Dubois', 'p.dubois@web.example', ['fr', 'en', 'de'], 48, 4, true],
    ['north', 'Nadia "Nana" Osei', 'nana@osei.example', ['en-GB', 'fr'], 45.5, 4.2, false],
    ['north', 'Ilse Braun', 'ilse@braun.example', ['de', 'nl'], 55, null, true],
    ['north', 'Tomasz Nowak', 't.nowak@poczta.example', ['pl', 'de'], 20, 3.5, true],
    ['north', 'Chen Wei', 'wei.chen@mail.example', ['zh-CN', 'en'], 70, 4.7, true],
    ['north', 'Olga Petrova', 'olga@petrova.example', ['ru', 'en', 'de'], 42, 4.4, true],
    ['north', 'Sean Byrne', 'sean@byrne.example', ['en-GB'], 35, 4.1, true],
    ['south', 'Carmen Vidal', 'carmen@vidal.example', ['es', 'en'], 40, 4.6, true],
    ['south', 'Rui Costa', 'rui@costa.example', ['pt', 'es'], 36.5, null, true],
    ['south', 'Elena Mora', 'elena@mora.example', ['es', 'fr'], 50, 4, false],
  ]
  T.forEach(([tenant, fullName, email, languages, hourlyRate, rating, available], i) =>
    addTranslator.run(
      tenant,
      email,
      at(4, i * 2),
      JSON.stringify(
        translatorData({
          fullName,
          email,
          languages,
          hourlyRate,
          rating,
          available,
          currency: i % 4 === 2 ? 'CHF' : 'EUR',
          memberSince: i % 3 ? `20${15 + (i % 9)}-0${1 + (i % 9)}-15` : null,
          certifications: i % 2 ? [] : [{ name: 'ISO 17100', issuedOn: '2021-06-30', url: null }],
          portalPassword: i % 3 === 0 ? 'initial-secret-1' : null,
        }),
      ),
    ),
  )
  const D = '2026-03-31T15:00:00.000Z'
  const PR = [
    ['north', 'Annual report 2025', 1, ['en', 'fr'], 'active', D, 4],
    ['north', 'Lens catalogue', 1, ['fr', 'it'], 'draft', '2026-02-10T10:00:00.000Z', 3],
    ['north', 'Contract review 50% rush', 2, ['en'], 'draft', D, 5],
    ['north', 'Patent bundle', 2, ['en', 'ja'], 'active', '2026-05-20T08:30:00.000Z', 2],
    ['north', 'Menu cards', 5, ['de', 'en'], 'closed', null, 1],
    ['north', 'Clinical study A_12', 6, ['de', 'fr', 'it'], 'active', D, 5],
    ['north', 'Pump manual', 7, ['pl', 'en'], 'draft', '2026-01-15T23:00:00.000Z', 3],
    ['north', 'Website relaunch', 10, ['en'], 'draft', D, 3],
    ['north', 'Grid study', 10, ['en', 'fr'], 'draft', null, 2],
    ['north', 'Game dialogue 5000 lines', 13, ['de', 'ja', 'fr'], 'active', '2026-06-01T00:00:00.000Z', 4],
    ['north', 'Harbour rules', 11, ['en'], 'draft', D, 3],
    ['north', 'Lab notes', 12, ['de'], 'draft', '2026-04-02T12:00:00.000Z', 3],
    ['south', 'Tile brochure', 14, ['en', 'fr'], 'active', D, 3],
    ['south', 'Olive oil labels', 15, ['en'], 'draft', null, 2],
  ]
  const pid = (i) => `7d0c${String(1000 + i * 37)}-4b1e-4c${String(10 + i)}-9a5f-${String(100000000000 + i * 777777)}`
  PR.forEach(([tenant, title, clientId, targetLanguages, status, deadline, priority], i) =>
    addProject.run(
      pid(i),
      tenant,
      clientId,
      status,
      at(5, i * 7),
      JSON.stringify(
        projectData({
          title,
          clientId,
          externalRef: i % 3 ? null : `aaaa0000-0000-4000-8000-0000000000${10 + i}`,
          sourceLanguage: 'de',
          targetLanguages,
          priority,
          wordCount: 1000 * (i + 1),
          startsOn: i % 2 ? '2026-01-12' : null,
          deadline,
          budget: i % 2 ? null : { amountCents: 100000 * (i + 1), currency: i % 4 ? 'CHF' : 'EUR' },
          metadata: i % 4 ? {} : { channel: 'mail' },
        }),
      ),
    ),
  )
  const J = [
    [0, 'translation', 'en', 1200, 'open', null],
    [0, 'translation', 'fr', 1200, 'assigned', 6],
    [0, 'review', 'en', 1200, 'delivered', 12],
    [0, 'layout', 'fr', 40, 'open', null],
    [3, 'translation', 'ja', 5000, 'assigned', 5],
    [3, 'translation', 'en', 5000, 'delivered', 1],
    [4, 'translation', 'de', 300, 'delivered', 8],
    [5, 'translation', 'it', 900, 'open', null],
    [9, 'translation', 'de', 2500, 'open', null],
    [1, 'translation', 'it', 800, 'open', null],
    [12, 'translation', 'en', 700, 'open', null],
    [12, 'review', 'fr', 700, 'assigned', 13],
  ]
  J.forEach(([p, kind, language, words, state, t], i) =>
    addJob.run(
      pid(p),
      state,
      t,
      state === 'delivered' ? at(9, i) : null,
      at(6, i),
      JSON.stringify({ kind, language, words, instructions: i % 3 ? null : 'Follow the glossary.' }),
    ),
  )
}
