/**
 * Generates a scenario from the schemas of a document: the first records with json-schema-faker, and further records
 * by combining these. The same seed gives the same bytes on every machine.
 */
import { base, en, Faker } from '@faker-js/faker'
import type { OpenApiDocument } from '../compile/document.js'
import type { CollectionModel, Contract } from '../contract/contract.js'
import { createRandom, toSeed } from '../json/random.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'
import { referenceDate } from './believable.js'
import { checkHints } from './check-hints.js'
import type { CollectionToGenerate } from './collection-to-generate.js'
import { createCombine } from './combine-records.js'
import { createKeys } from './generate-record-keys.js'
import { createRecordGenerator } from './generate-records.js'
import type { Hints } from './hints.js'

export interface ScenarioToGenerate {
  document: OpenApiDocument
  /** Compiled from the document. */
  contract: Contract
  /** Records in each collection. */
  records: number
  seed: number
  hints: Hints
  /** Called during the work and at the end, with the number of finished records of all collections. */
  onProgress?: (done: number, total: number) => void
  /** Called for each collection that stays empty because no valid record was found. */
  onSkip?: (collection: string, why: string) => void
}

/** The number of records of a collection that are generated one by one. */
const poolSize = 1000
/** The number of records in one turn of the event loop. Both take about the same time. */
const turn = { generated: 200, combined: 20_000 }

/**
 * Generates records for each collection that an operation reads, oldest first.
 * @throws SandboxError `INVALID_OPTION` for wrong hints
 */
export async function generateScenario(input: ScenarioToGenerate): Promise<Scenario> {
  const { document, contract, records, seed, hints, onProgress, onSkip } = input
  const faker = new Faker({ locale: [en, base] })
  faker.setDefaultRefDate(referenceDate)
  checkHints(hints, contract, document, faker)
  const models = contract.collections.filter((model) => isRead(contract, model))
  const total = records * models.length
  const scenario: Record<string, readonly Values[]> = {}
  for (const [index, model] of models.entries()) {
    // Each collection has its own seed, so that the records of one do not depend on other collections.
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

/** Whether an operation reads, changes or removes existing records. Otherwise nobody would see them. */
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
