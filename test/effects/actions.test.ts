// Actions on a record.
import { it } from 'vitest'
import { actionScripts } from '../scripts/actions.js'
import { runScript } from '../support/script.js'

it.each(actionScripts)('an action $name', runScript)
