/** A page that lists animals, filters them by status, and adds one. */
import type { NewPet, Pet, PetStatus } from 'petstore-sandbox'
import type { Api } from './api.js'

const statuses: PetStatus[] = ['available', 'pending', 'sold']
const options = statuses.map((status) => `<option>${status}</option>`).join('')

const html = `
  <h1>Pet Store</h1>
  <form aria-label="Add an animal">
    <label>Name <input name="name" /></label>
    <label>Category <input name="categoryId" inputmode="numeric" /></label>
    <label>Status <select name="status">${options}</select></label>
    <button>Add</button>
  </form>
  <p role="alert" hidden></p>
  <label>Show <select id="filter"><option value="">all</option>${options}</select></label>
  <ul aria-label="Animals"></ul>`

/** Fills an element with the page. @returns when the animals are there */
export async function mountPage(element: HTMLElement, api: Api): Promise<void> {
  element.innerHTML = html
  const form = find(element, 'form', HTMLFormElement)
  const alert = find(element, '[role=alert]', HTMLElement)
  const filter = find(element, '#filter', HTMLSelectElement)
  const list = find(element, 'ul', HTMLUListElement)

  async function refresh() {
    const status = statuses.find((each) => each === filter.value)
    const { data, error } = await api.GET('/pets', { params: { query: status ? { status } : {} } })
    // Another answer may come late: what counts is what is chosen now.
    if ((status ?? '') !== filter.value) return
    if (data) list.replaceChildren(...data.map(toItem))
    show(error?.message)
  }

  async function add() {
    const { error } = await api.POST('/pets', { body: toNewPet(new FormData(form)) })
    if (error) return show(error.message)
    form.reset()
    filter.value = ''
    await refresh()
  }

  function show(message = '') {
    alert.textContent = message
    alert.hidden = message === ''
  }

  const attempt = (action: () => Promise<void>) => action().catch((error: Error) => show(error.message))
  filter.addEventListener('change', () => attempt(refresh))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    attempt(add)
  })
  await attempt(refresh)
}

/** What was typed, as the service wants it; what is wrong with it is for the service to say. */
function toNewPet(form: FormData): NewPet {
  const category = form.get('categoryId')
  const isNumber = /^-?\d+$/.test(String(category))
  return {
    name: form.get('name'),
    categoryId: isNumber ? Number(category) : category,
    status: form.get('status'),
  } as NewPet
}

function toItem({ id, name, status = 'available' }: Pet): HTMLLIElement {
  const item = document.createElement('li')
  const texts = { id: `#${id}`, name, status }
  for (const [className, text] of Object.entries(texts)) {
    const span = document.createElement('span')
    span.className = className
    span.textContent = text
    item.append(span, ' ')
  }
  item.dataset['status'] = status
  return item
}

function find<T extends HTMLElement>(element: HTMLElement, selector: string, type: new () => T): T {
  const found = element.querySelector(selector)
  if (found instanceof type) return found
  throw new Error(`The page has no ${selector}`)
}
