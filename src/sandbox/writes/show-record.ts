/** The effect `read`, and the answers of other effects that show a record. */
import type { CreateEffect, KeyedEffect, RecordAccess } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { pickByShape } from '../../json/prune-by-shape.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import { type Content, type Outcome, Refusal } from '../outcome.js'
import { addEnvelope, addEnvelopeToValue } from '../responses/envelope.js'
import type { EffectInput } from './effect-input.js'
import { shownValues, textOf } from './ensured.js'
import { findRecord } from './existing-record.js'
import { answerInstead } from './fixed-answer.js'

/** @param created the key of a new record */
export function showRecord(
  input: EffectInput<CreateEffect | KeyedEffect>,
  record: StoredRecord,
  created?: Key,
): Outcome {
  const { effect } = input
  const { status, mediaType, headers, answer } = effect
  if (mediaType === undefined && !answer) return { status, headers }
  const outcome = answer
    ? answerInstead(input, answer, created, record.values)
    : { status, mediaType, headers, content: new RecordContent(input, record) }
  return effect.kind === 'remove' || !input.showChosen ? outcome : input.showChosen(input, outcome)
}

/** A class, because each answer has one: its methods are created once. */
class RecordContent implements Content {
  readonly #input: EffectInput<CreateEffect | KeyedEffect>
  readonly #record: StoredRecord

  constructor(input: EffectInput<CreateEffect | KeyedEffect>, record: StoredRecord) {
    this.#input = input
    this.#record = record
  }

  get record(): Values {
    return this.#record.values
  }

  text(): string | undefined {
    const text = textOf(this.#input, this.#record)
    const { envelope } = this.#input.effect as RecordAccess
    return text === undefined || !envelope ? text : addEnvelope(this.#input, envelope, text)
  }

  show(record: StoredRecord): Content {
    return new RecordContent(this.#input, record)
  }

  value(): ExactValue {
    const { effect, contract } = this.#input
    const values = (shownValues(this.#input, this.#record.values) ?? null) as ExactValue
    const shown = pickByShape(values, contract.shapes, effect.shape)
    return effect.envelope ? addEnvelopeToValue(this.#input, effect.envelope, shown) : shown
  }
}

export function read(input: EffectInput<KeyedEffect>): Outcome {
  const found = findRecord(input)
  return found instanceof Refusal ? found : showRecord(input, found.record)
}
