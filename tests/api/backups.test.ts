import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#contract/time.ts'
import {
  GENERATION,
  markOf,
  raiseGeneration,
} from '../../src/server/analytics/store/ledger/marks.ts'
import { readBackup } from '../../src/server/backup/backup-file.ts'
import { restore as restoreHere } from '../../src/server/backup/restore.ts'
import { systemClock } from '../../src/server/clock.ts'
import { readConfig } from '../../src/server/config.ts'
import type { Engine } from '../../src/server/database/connect.ts'
import { claimMail } from '../../src/server/mail/mails-store.ts'
import { appCode, turnOnSecondStep } from '../support/authenticator-app.ts'
import {
  engines,
  newPlace,
  oneEngineInCi,
  type Place,
  serverEngineInCi,
} from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { newFolder } from '../support/folder.ts'
import { jobsAfter } from '../support/jobs.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { newPerson, Person } from '../support/person.ts'
import { ended } from '../support/process.ts'
import { environmentOf, runScript, runScriptHere } from '../support/script.ts'
import { isSoak, times } from '../support/soak.ts'
import { runTessera, startAt, type Tessera, tesseraForTest } from '../support/tessera.ts'
import { Crowd } from '../support/visitors.ts'

const SECRET = 'a secret that only the tests know'
const KEY = 'the key of these backups'
/** Visitors at once, who scan without a pause. */
const VISITORS = times(1, 64)

/** In CI a backup is restored on the other engine. */
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
  runScriptHere('restore', { ...to, environment }, ...options)
/** Restores without a process of its own. */
const restoreInto = (to: Place, file: string) =>
  restoreHere(readConfig(environmentOf({ ...to, environment })), file, {
    clock: systemClock,
    settleScans: raiseGeneration,
  })
const newFile = async () => join(await newFolder(), 'today.backup')

describe.each(serverEngineInCi)('a backup on %s', (engine) => {
  const tessera = runTessera({ engine })

  test.each(targetsOf(engine))(
    'is restored on %s: scans that were answered before it are there, people sign in, sessions end',
    async (other: Engine) => {
      const owner = await newPerson(tessera, 'unlimited')
      const code = await owner.code({ vanityUrl: `menu-${engine}-${other}` })
      const { secret } = await turnOnSecondStep(owner)
      await owner.make('/api/account/keys', {
        name: 'Till',
        scope: 'read',
        days: null,
        password: PASSWORD,
      })
      await owner.make(`/api/analytics/shares?qr=${code.id}`, {})
      const crowd = new Crowd('backup')
      crowd.start([`${tessera.origin}/qr/${code.shortCode}`], VISITORS)
      await eventually(() => crowd.answered.length > 20)
      const before = crowd.answered.length
      const file = await newFile()
      const { stdout } = await backUp(tessera, file)
      await crowd.stop()
      expect(stdout).toContain('is written')
      if (isSoak) expect((await backUp(tessera, '--verify', file)).stdout).toContain('is whole')

      const to = await newPlace(other, { empty: true })
      const said = (await restore(to, file)).stdout
      expect(said).toContain('second steps and webhook secrets stay as they were')
      expect(said).toMatch(/Paused: [1-9]\d* API keys? and [1-9]\d* share links?,/)
      await expect(restoreInto(to, file)).rejects.toThrow('Restore into an empty')

      const service = await startAt(to)
      expect((await markOf(service.database.db, GENERATION))?.at).toBeGreaterThan(0)
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
      if (oneEngineInCi.includes(other)) {
        await restore(to, '--release')
        expect(await claimMail(db, service.clock.now())).toMatchObject({ recipient: owner.email })
      }
      await service.stop()
      await to.remove()
    },
  )
})

describe.each(oneEngineInCi)('a backup on %s', (engine) => {
  test('that the service makes by itself is whole, the oldest go, and its age is on the status page', async () => {
    const folder = await newFolder()
    const service = await tesseraForTest({
      engine,
      environment: { BACKUP_DIR: folder, BACKUP_EVERY: '1h', BACKUP_KEEP: '1' },
    })
    const made = new Set<string>()
    while (made.size < 2) {
      await jobsAfter(service, HOUR_MS)
      await eventually(() => {
        const isNew = (file: string) => file.endsWith('.backup') && !made.has(file)
        const file = readdirSync(folder).find(isNew)
        if (file) made.add(file)
        return file !== undefined
      })
    }
    await eventually(() => readdirSync(folder).length === 1)
    const [kept = ''] = readdirSync(folder)
    expect((await readBackup(join(folder, kept), {})).tables).toBeGreaterThan(50)
    await eventually(async () => {
      const page = await fetch(`${service.origin}/api/status`)
      return (await page.text()).includes('Last backup')
    })
  })

  if (!isSoak) return
  const tessera = runTessera({ engine })

  test('that is killed, has no room or is cut short does not look whole', async () => {
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
    const whole = readFileSync(file)
    truncateSync(file, whole.length - 100)
    const verified = await backUp(tessera, '--verify', file).catch((error) => error)
    expect(verified.stderr).toMatch(/cannot be restored: It is damaged, or cut short/)
    const to = await newPlace(engine, { empty: true })
    const refused = await restore(to, file).catch((error) => error)
    expect(refused.stderr).toMatch(/^Nothing was restored: It is damaged, or cut short/)
    writeFileSync(file, whole)
    expect((await restoreInto(to, file)).tables).toBeGreaterThan(50)
    await to.remove()
  })
})
