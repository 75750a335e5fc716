import { describe, expect, test } from 'vitest'
import { securityEvents } from '../../src/contract/accounts/audit.ts'
import {
  confirmOffer,
  saveOffer,
} from '../../src/server/accounts/sign-in/second-factor/second-factor-store.ts'
import { listEvents } from '../../src/server/audit.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { Mailed } from '../support/mailed.ts'
import { rowsOf } from '../support/rows.ts'
import { runScript, runScriptHere } from '../support/script.ts'

describe.each(oneEngineInCi)('npm run second-step:off on %s', (engine) => {
  const here = Mailed.run(engine)

  const place = () => {
    const { dataDir, config, database } = here.tessera
    const environment = { PUBLIC_URL: config.publicUrl }
    return { dataDir, location: database.location, environment }
  }

  test('lets a user in again who has lost the phone and the recovery codes', async () => {
    const person = await here.member()
    const { email, id } = person
    const { db } = here.tessera.database
    const now = here.tessera.clock.now()
    await saveOffer(db, id, { sealed: 'sealed', now })
    await confirmOffer(db, id, { sealed: 'sealed', step: 1, now })
    await db.insertInto('recovery_codes').values({ user_id: id, hash: 'x' }).execute()
    const before = await here.signIn(email, PASSWORD)
    expect(await before.json()).toEqual({ next: 'second-factor' })

    const { stdout } = await runScript('second-step-off', place(), email.toUpperCase())
    expect(stdout).toBe(
      `The second step of ${email.toUpperCase()} is off. Its recovery codes are gone, and all its browsers are signed out. The server mails that to the account.\n`,
    )
    expect(await here.isSignedIn(person)).toBe(false)
    expect(await rowsOf(db, 'recovery_codes', { user_id: id })).toEqual([])
    const wanted = [{ event: 'second-factor-off', actor: 'operator' }]
    expect(await listEvents(db, { user_id: id }, securityEvents, 1)).toMatchObject(wanted)
    expect(await (await here.signIn(email, PASSWORD)).json()).toMatchObject({ user: { email } })
    await here.tessera.app.jobs.runDue()
    const mail = await here.mails.mailTo(email, 'Support turned off two-step verification')
    expect(mail.text).toContain('Our support team')
  })

  test('names what it could not do', async () => {
    const { email } = await here.member()
    const unknown = here.someEmail()
    const cases: [string[], string][] = [
      [[email], `The second step of ${email} is not on, so nothing was changed.`],
      [
        [unknown],
        `The second step of ${unknown} cannot be turned off: no account has this address.`,
      ],
      [[], 'Say whose: npm run second-step:off -- you@example.com'],
    ]
    for (const [of, said] of cases) {
      const refused = runScriptHere('second-step-off', place(), ...of)
      await expect(refused).rejects.toMatchObject({ code: 1, stderr: `${said}\n` })
    }
  })
})
