/** Writes the requests of a recording. In texts, `<name>` is a value that an earlier answer gave by that name. */
const ofMethod = (method) => (label, path, more) => ({ label, method, path, ...more })

export const get = ofMethod('GET')
export const remove = ofMethod('DELETE')
export const post = (label, path, body, more) => ({ label, method: 'POST', path, body, ...more })
export const put = (label, path, body, more) => ({ label, method: 'PUT', path, body, ...more })
export const patch = (label, path, body, more) => ({ label, method: 'PATCH', path, body, ...more })
