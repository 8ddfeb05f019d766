// Records that exist once, and other ways to select one.
import { it } from 'vitest'
import { singleScripts } from '../scripts/single.js'
import { runScript } from '../support/script.js'

it.each(singleScripts)('keeps $name', runScript)
