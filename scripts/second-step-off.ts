/**
 * `npm run second-step:off -- you@example.com`: turns off the second step of a user who has lost
 * their phone and their recovery codes. It reads the environment like the server, and may run beside
 * it; the server sends the mail that informs the account.
 */

import pino from 'pino'
import { turnOffLost } from '../src/server/accounts/sign-in/second-factor/second-factor.ts'
import { systemClock as clock } from '../src/server/clock.ts'
import { readConfig } from '../src/server/config.ts'
import { mailRoom } from '../src/server/mail/mail-room.ts'
import { fail } from './command.ts'
import { onDatabase } from './existing-database.ts'
import { runCommand } from './run-command.ts'

const answers = {
  off: 'is off. Its recovery codes are gone, and all its browsers are signed out. The server mails that to the account.',
  'no-second-step': 'is not on, so nothing was changed.',
  'no-account': 'cannot be turned off: no account has this address.',
}

const [address] = process.argv.slice(2)
if (!address) fail('Say whose: npm run second-step:off -- you@example.com')
const turnOff = async () => {
  const config = readConfig(process.env)
  const answer = await onDatabase(config, async ({ db }) => {
    const { mailer, stop } = mailRoom({ db, clock, config, log: pino({ level: 'silent' }) })
    // The server sends the mail.
    await stop()
    return turnOffLost({ db, mailer, publicUrl: config.publicUrl }, address, clock())
  })
  const said = `The second step of ${address} ${answers[answer]}`
  if (answer !== 'off') fail(said)
  console.log(said)
}

await runCommand(turnOff, 'Nothing was changed')
