import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#contract/time.ts'
import type { QrCode } from '../../src/contract/codes.ts'
import { readBackup } from '../../src/server/backup/backup-file.ts'
import type { Engine } from '../../src/server/database/connect.ts'
import { claimMail } from '../../src/server/mail/mails-store.ts'
import { appCode } from '../support/authenticator-app.ts'
import { engines, newPlace, oneEngineInCi, type Place } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { newPerson, Person } from '../support/person.ts'
import { ended } from '../support/process.ts'
import { environmentOf, runScript } from '../support/script.ts'
import { startService } from '../support/service.ts'
import { isSoak } from '../support/soak.ts'
import { runTessera, type Tessera, tesseraForTest } from '../support/tessera.ts'

const SECRET = 'a secret that only the tests know'
const KEY = 'the key of these backups'
/** Visitors who scan one after the other, without a pause. */
const VISITORS = isSoak ? 64 : 2

/** Scans a link from many sides until `stop`, and counts the answers. */
function scanWithoutPause({ origin }: Tessera, code: QrCode) {
  let answered = 0
  let isOver = false
  const visit = async (visitor: number) => {
    while (!isOver) {
      const headers = { 'user-agent': `Mozilla/5.0 (iPhone) Visitor/${visitor}` }
      const init: RequestInit = { redirect: 'manual', headers }
      const { status } = await fetch(`${origin}/qr/${code.shortCode}`, init)
      if (status === 302) answered++
    }
  }
  const visits = Array.from({ length: VISITORS }, (_, visitor) => visit(visitor))
  return {
    get answered() {
      return answered
    },
    stop: async () => {
      isOver = true
      await Promise.all(visits)
    },
  }
}

/** Runs a restored place for the test. */
async function restored(place: Place, secret: string): Promise<Tessera> {
  const port = await freePort()
  const environment = { PORT: `${port}`, SESSION_SECRET: secret }
  const service = await startService({ ...place, environment })
  return { ...service, dataDir: place.dataDir, origin: `http://localhost:${port}` }
}

/** In CI each engine's backup is restored on the other. */
const targetsOf = (engine: Engine) =>
  isSoak || engines.length === 1 ? engines : engines.filter((other) => other !== engine)

const environment = { SESSION_SECRET: SECRET, BACKUP_KEY: KEY }
const placeOf = ({ dataDir, database: { location } }: Tessera) => ({
  dataDir,
  location,
  environment,
})
const backUp = (tessera: Tessera, ...options: string[]) =>
  runScript('backup', placeOf(tessera), ...options)
const restore = (to: Place, ...options: string[]) =>
  runScript('restore', { ...to, environment }, ...options)
const newFile = async () => join(await newFolder(), 'today.backup')

describe.each(engines)('a backup on %s', (engine) => {
  const tessera = runTessera({ engine })

  test.each(targetsOf(engine))(
    'is restored on %s: scans that were answered before it are there, people sign in, sessions end',
    async (other: Engine) => {
      const owner = await newPerson(tessera, 'unlimited')
      const code = await owner.code({ vanityUrl: `menu-${engine}-${other}` })
      const { secret } = await owner.ask<{ secret: string }>('/api/account/second-factor', {
        method: 'POST',
        body: { password: PASSWORD },
      })
      await owner.post('/api/account/second-factor/confirm', {
        code: appCode(secret, tessera.clock.now()),
      })
      await owner.ask('/api/account/keys', {
        method: 'POST',
        body: { name: 'Till', scope: 'read', days: null, password: PASSWORD },
      })
      await owner.ask(`/api/analytics/shares?qr=${code.id}`, { method: 'POST', body: {} })
      const scanning = scanWithoutPause(tessera, code)
      await eventually(() => scanning.answered > 20)
      const before = scanning.answered
      const file = await newFile()
      const { stdout } = await backUp(tessera, file)
      await scanning.stop()
      expect(stdout).toContain('is written')
      expect((await backUp(tessera, '--verify', file)).stdout).toContain('is whole')

      const to = await newPlace(other, { empty: true })
      const said = (await restore(to, file)).stdout
      expect(said).toContain('second steps and webhook secrets stay as they were')
      expect(said).toMatch(/Paused: [1-9]\d* API keys? and [1-9]\d* share links?,/)
      const again = await restore(to, file).catch((error) => error)
      expect(again.stderr).toMatch(/^Nothing was restored: .* Restore into an empty/)

      const service = await restored(to, SECRET)
      const person = new Person(service, owner.email)
      person.cookie = owner.cookie
      expect(await person.isSignedIn()).toBe(false)
      expect(await (await person.signIn()).json()).toEqual({ next: 'second-factor' })
      service.clock.advance(60_000)
      const second = await person.post('/api/auth/sign-in/second-factor', {
        code: appCode(secret, service.clock.now()),
      })
      expect(second.status).toBe(200)
      for (const name of [code.shortCode, code.vanityUrl as string]) {
        expect(await leadsTo(service, name)).toBe(code.url)
      }
      await eventually(async () => {
        const { rows } = await sql<{ scans: number }>`select count(*) as scans from scans
        where code_id = ${code.id}`.execute(service.database.db)
        return Number(rows[0]?.scans) >= before
      })
      // Mails wait until the operator lets them out.
      const { db } = service.database
      await person.post('/api/auth/forgot-password', { email: owner.email })
      const mails = db.selectFrom('mails').select('id')
      await eventually(async () => (await mails.execute()).length === 1)
      expect(await claimMail(db, service.clock.now())).toBeUndefined()
      await restore(to, '--release')
      expect(await claimMail(db, service.clock.now())).toMatchObject({ recipient: owner.email })
      await service.stop()
      await to.remove()
    },
  )

  test('that the service makes by itself is whole, the oldest go, and its age is on the status page', async () => {
    const folder = await newFolder()
    const service = await tesseraForTest({
      engine,
      environment: { BACKUP_DIR: folder, BACKUP_EVERY: '1h', BACKUP_KEEP: '2' },
    })
    for (let made = 1; made <= 3; made++) {
      service.clock.advance(HOUR_MS)
      await service.app.jobs.runDue()
      const name = service.clock.now().toISOString().slice(0, 16).replace(':', '-')
      await eventually(() =>
        readdirSync(folder).some((file) => file.includes(name) && file.endsWith('.backup')),
      )
    }
    await eventually(() => readdirSync(folder).length === 2)
    for (const name of readdirSync(folder)) {
      expect((await readBackup(join(folder, name), {})).tables).toBeGreaterThan(50)
    }
    await eventually(async () => {
      const page = await fetch(`${service.origin}/api/status`)
      return (await page.text()).includes('Last backup')
    })
  })
})

describe.each(oneEngineInCi)('a backup on %s', (engine) => {
  const tessera = runTessera({ engine })

  test.runIf(oneEngineInCi.includes(engine))(
    'that is killed, has no room or is cut short does not look whole',
    async () => {
      const file = await newFile()
      const killed = spawn('node', ['scripts/backup.ts', file], {
        env: environmentOf(placeOf(tessera)),
      })
      await eventually(() => existsSync(`${file}.part`))
      await ended(killed, 'SIGKILL')
      expect(existsSync(file)).toBe(false)

      // Files may have a kilobyte: the same as a disk without more room.
      const command = `ulimit -f 1; exec node scripts/backup.ts ${file}`
      const full = spawn('bash', ['-c', command], {
        env: environmentOf(placeOf(tessera)),
        stdio: 'ignore',
      })
      expect(await new Promise((resolve) => full.once('exit', resolve))).not.toBe(0)
      expect(existsSync(file)).toBe(false)

      await backUp(tessera, file)
      truncateSync(file, statSync(file).size - 100)
      const verified = await backUp(tessera, '--verify', file).catch((error) => error)
      expect(verified.stderr).toMatch(/cannot be restored: It is damaged, or cut short/)
      const to = await newPlace(engine, { empty: true })
      const refused = await restore(to, file).catch((error) => error)
      expect(refused.stderr).toMatch(/^Nothing was restored: It is damaged, or cut short/)
      await backUp(tessera, file)
      expect((await restore(to, file)).stdout).toContain('Restored')
      await to.remove()
    },
  )
})
