// Bodies in which something stands around records: each request through each transport of this process.
import { it } from 'vitest'
import { wrappedScripts } from '../scripts/wrapped.js'
import { runScript } from '../support/script.js'

it.each(wrappedScripts)('keeps records: $name', runScript)
