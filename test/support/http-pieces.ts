/** Pieces of raw HTTP requests. */

export const auth: string = 'Host: localhost\r\nAuthorization: Bearer sandbox\r\n'
export const close: string = 'Connection: close\r\n'

export const list: string = `GET /v1/pets HTTP/1.1\r\n${auth}`
export const create: string = `POST /v1/pets HTTP/1.1\r\n${auth}Content-Type: application/json\r\n`
export const newPet: string = '{"name":"Rex","categoryId":7}'
export const lengthOf: string = `Content-Length: ${newPet.length}\r\n`
export const chunked: string = 'Transfer-Encoding: chunked\r\n'
export const chunk: string = `${newPet.length.toString(16)}\r\n${newPet}\r\n`
/** The rest of a head whose host comes from the test. */
export const hostless: string = `Authorization: Bearer sandbox\r\n${close}`
