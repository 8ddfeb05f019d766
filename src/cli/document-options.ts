/** The options of all commands that take a document. */
import { Option } from 'commander'
import type { SpecOptions } from '../entries/compile-spec.js'
import { collect, yesOrNo } from './option-values.js'

/** As they come from the command line; `toSpecOptions` converts them. */
export interface DocumentOptions {
  /** File or URL of an OpenAPI document. */
  spec?: string
  /** Files or URLs of overlays. */
  overlay?: string[]
  /** Requests the URLs that the document refers to. */
  allowRemoteRefs?: boolean
  /** Reads files outside of the repository of the document. */
  allowOutsideRefs?: boolean
  /** Refuses a document with anything wrong in it. */
  strict?: boolean
}

/** @param description what the command does with the document */
export function documentOptions(description: string): [spec: Option, ...others: Option[]] {
  return [
    new Option('--spec <file|url>', description),
    new Option('--overlay <file|url>', 'change the document by an OpenAPI Overlay (repeatable)').argParser(collect),
    flag('--allow-remote-refs', 'request the URLs that $refs of the document lead to'),
    flag('--allow-outside-refs', 'read files that $refs of the document lead to outside of its repository'),
    flag('--strict', 'refuse a document with anything wrong in it'),
  ]
}

/** Its value is a text, so that an environment variable can set it to true or false. */
export function flag(name: string, description: string): Option {
  return new Option(name, description).preset('true').argParser(yesOrNo)
}

export function toSpecOptions({ spec, overlay = [], allowRemoteRefs, allowOutsideRefs }: DocumentOptions): SpecOptions {
  return { ...(spec === undefined ? {} : { spec }), overlays: overlay, allowRemoteRefs, allowOutsideRefs }
}
