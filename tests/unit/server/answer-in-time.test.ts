import fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerInTime } from '../../../src/server/billing/answer-in-time.ts'

test('a request whose calls never end is answered, and one that is answered stays so', async () => {
  const app = fastify()
  await app.register(async (scope) => {
    answerInTime(scope, 1)
    scope.get('/never', () => new Promise(() => {}))
  })
  await app.register(async (scope) => {
    answerInTime(scope)
    scope.get('/now', async () => ({ done: true }))
    scope.get('/fails', () => Promise.reject(new Error('refused')))
  })
  expect((await app.inject('/never')).json()).toMatchObject({ code: 'payments_unavailable' })
  expect((await app.inject('/now')).json()).toEqual({ done: true })
  expect((await app.inject('/fails')).json()).toMatchObject({ message: 'refused' })
})
