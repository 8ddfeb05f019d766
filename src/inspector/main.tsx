/** The inspector: a page that shows what a sandbox does, and changes it. */
import { render } from 'preact'
import { App } from './app.js'
import { receiveExchanges } from './live.js'
import { loadAll } from './store.js'

const root = document.getElementById('app')
if (root) render(<App />, root)
void loadAll()
void receiveExchanges()
