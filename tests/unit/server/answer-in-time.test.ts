import fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '../../../src/server/http/errors.ts'

test('a request whose calls to the provider never end is answered', async () => {
  const app = fastify()
  app.setErrorHandler(answerError)
  app.get('/never', { handlerTimeout: 1 }, () => new Promise(() => {}))
  expect((await app.inject('/never')).json()).toMatchObject({ code: 'payments_unavailable' })
})
