import pino from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BackgroundTasks } from '../../src/server/accounts/background-tasks.ts'
import { fetchPicture } from '../../src/server/accounts/sign-in/provider/provider-sign-in.ts'
import { pictureUrlOf } from '../../src/server/accounts/users-store.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { UploadedPictures } from '../../src/server/pictures/uploads/uploaded-pictures.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { newPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'
import { runTlsServer, tls } from '../support/tls-server.ts'

const log = pino({ level: 'silent' })
const uploads = new UploadedPictures(log, { startMs: STEP_LIMIT_MS, taskMs: STEP_LIMIT_MS })
const tessera = runTessera()
let asked = 0
let answer: Buffer

const server = runTlsServer((_request, response) => {
  asked++
  response.end(answer)
})

beforeAll(async () => {
  answer = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})
afterAll(() => uploads.stop())

async function take(userId: PersonId, limits: object): Promise<string | null> {
  const { db } = tessera.database
  const later = new BackgroundTasks(log)
  fetchPicture({ db, log, later, uploads }, userId, `${server.origin}/picture`, limits)
  await later.settle()
  return pictureUrlOf(db, userId)
}

const here = { tls, allow: ['127.0.0.1', '::1'], patienceMs: STEP_LIMIT_MS }

test('the picture of a provider is fetched once, and drawn again', async () => {
  const { id } = await newPerson(tessera)
  const first = await take(id, here)
  expect(first).toMatch(/^\/api\/account\/picture\?v=/)
  const before = asked
  expect(await take(id, here)).toBe(first)
  expect(asked).toBe(before)
})

test('a file that is not a picture is not kept', async () => {
  const { id } = await newPerson(tessera)
  const picture = answer
  answer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  expect(await take(id, here)).toBeNull()
  answer = picture
})

test('a picture at an address that is not public is not asked for', async () => {
  const { id } = await newPerson(tessera)
  const before = asked
  expect(await take(id, { tls })).toBeNull()
  expect(asked).toBe(before)
})
