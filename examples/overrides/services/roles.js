import { defineOverrides } from 'petstore-sandbox'

const roles = { ada: 'editor', ben: 'reader' }

export default defineOverrides({
  'POST /login': ({ body, own, answer, refuse }) => {
    const role = roles[body.name]
    if (!role || body.password !== 'secret') return refuse(401, 'The name or the password is wrong')
    own.role = role
    return answer(200, { token: `token-of-${body.name}`, role })
  },
  'POST /articles': ({ own, refuse, next }) =>
    own.role === 'editor' ? next() : refuse(403, 'Only an editor may write articles'),
})
