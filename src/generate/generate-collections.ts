/**
 * Generates a scenario from the schemas of a document: the first records by json-schema-faker, those beyond by
 * combining them. The same seed gives the same bytes on every machine.
 */
import { base, en, Faker } from '@faker-js/faker'
import type { OpenApiDocument } from '../compile/document.js'
import type { CollectionModel, Contract } from '../contract/contract.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'
import { referenceDate } from './believable.js'
import { checkHints } from './check-hints.js'
import type { CollectionToGenerate } from './collection-to-generate.js'
import { createCombine } from './combine-records.js'
import { createKeys } from './generate-keys.js'
import { createRecordGenerator } from './generate-records.js'
import type { Hints } from './hints.js'
import { createRandom, toSeed } from './random.js'

export interface ScenarioToGenerate {
  document: OpenApiDocument
  /** Compiled from the document. */
  contract: Contract
  /** Records in each collection. */
  records: number
  seed: number
  hints: Hints
  /** Called now and then, and at the end, with how many records of all collections are done. */
  onProgress?: (done: number, total: number) => void
  /** Called for a collection for which no valid record was found; it stays empty. */
  onSkip?: (collection: string, why: string) => void
}

/** Records of a collection that are generated one by one. */
const poolSize = 1000
/** Records between two turns of the event loop: about as much work each. */
const turn = { generated: 200, combined: 20_000 }

/**
 * Records for each collection that an operation reads, oldest first.
 * @throws SandboxError `INVALID_OPTION` for hints that cannot be used
 */
export async function generateScenario(wanted: ScenarioToGenerate): Promise<Scenario> {
  const { document, contract, records, seed, hints, onProgress, onSkip } = wanted
  const faker = new Faker({ locale: [en, base] })
  faker.setDefaultRefDate(referenceDate)
  checkHints(hints, contract, document, faker)
  const models = contract.collections.filter((model) => isRead(contract, model))
  const total = records * models.length
  const scenario: Record<string, readonly Values[]> = {}
  for (const [index, model] of models.entries()) {
    // A sequence of its own for each, so that one collection more or less changes nothing in the others.
    const ownSeed = toSeed(`${seed} ${model.name}`)
    faker.seed(ownSeed)
    const generated = await generateCollection(
      {
        document,
        model,
        schemaPath: contract.recordSchemas[model.record] ?? [],
        validate: contract.recordValidators[model.record] ?? (() => true),
        hints: hints[model.name] ?? {},
        records,
        faker,
        random: createRandom(ownSeed),
      },
      (done) => onProgress?.(index * records + done, total),
    )
    if (generated.problem !== undefined) onSkip?.(model.name, generated.problem)
    scenario[model.name] = generated.records
  }
  onProgress?.(total, total)
  return scenario
}

/** Whether an operation shows, changes or removes what is there; else nobody would ever see it. */
function isRead({ operations }: Contract, { name }: CollectionModel): boolean {
  return operations.some(
    ({ effect }) => 'collection' in effect && effect.collection === name && effect.kind !== 'create',
  )
}

async function generateCollection(
  collection: CollectionToGenerate,
  onProgress: (done: number) => void,
): Promise<{ records: Values[]; problem?: string }> {
  const records: Values[] = []
  const add = async (make: () => Values | undefined, count: number, turnSize: number) => {
    while (records.length < count) {
      const record = make()
      if (!record) return
      records.push(record)
      if (records.length % turnSize !== 0) continue
      onProgress(records.length)
      await nextTurn()
    }
  }
  const keys = createKeys(collection)
  const generator = createRecordGenerator(collection, keys)
  await add(generator.next, Math.min(collection.records, poolSize), turn.generated)
  if (records.length === 0 && collection.records > 0) return { records, problem: generator.problem }
  await add(createCombine([...records], collection, keys), collection.records, turn.combined)
  return { records }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
