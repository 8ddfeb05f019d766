/** Starts the page; while it is developed, with the sandbox in place of the service. */
import { createApi } from './api.js'
import { mountPage } from './page.js'
import './style.css'

if (import.meta.env.DEV) {
  const [{ setupWorker }, { handlers }] = await Promise.all([import('msw/browser'), import('petstore-sandbox/msw')])
  await setupWorker(...handlers).start({ onUnhandledRequest: 'bypass' })
}

const main = document.querySelector('main')
if (main) await mountPage(main, createApi(import.meta.env.VITE_API_KEY ?? 'sandbox'))
