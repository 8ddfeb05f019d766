// Records that belong to records: each request through each transport of this process.
import { it } from 'vitest'
import { nestedScripts } from './scripts/nested.js'
import { runScript } from './support/script.js'

it.each(nestedScripts)('$name', runScript)
