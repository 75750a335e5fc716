import { randomUUID } from 'node:crypto'
import type { Derive } from '../../src/server/accounts/passwords/passwords.ts'
import { findAccount } from '../../src/server/accounts/users-store.ts'
import type { Engine } from '../../src/server/database/connect.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { BEHIND_PROXY, someAddress } from './crowd.ts'
import { PASSWORD } from './enrolment.ts'
import { forBlock } from './for-block.ts'
import { MailServer } from './mail-server.ts'
import { cookieOf, eventsOf, newPerson, Person, prove } from './person.ts'
import { startTessera, type Tessera } from './tessera.ts'

/** A service with a mail server, and the calls of people there. Each call has an address of its own. */
export class Mailed {
  readonly tessera: Tessera
  readonly mails: MailServer
  /** The service's log, a line a record */
  readonly logged: string[]

  private constructor(tessera: Tessera, mails: MailServer, logged: string[]) {
    this.tessera = tessera
    this.mails = mails
    this.logged = logged
  }

  static async start(
    engine: Engine,
    environment: Record<string, string> = {},
    derive?: Derive,
  ): Promise<Mailed> {
    const mails = await MailServer.start()
    const logged: string[] = []
    const tessera = await startTessera({
      engine,
      environment: { ...BEHIND_PROXY, ...mails.environment, ...environment },
      derive,
      logTo: { write: (line: string) => logged.push(line) },
    })
    return new Mailed(tessera, mails, logged)
  }

  /** Runs one for the tests of a block. Its properties are there from `beforeAll` on. */
  static run(...settings: Parameters<typeof Mailed.start>): Mailed {
    return forBlock(() => Mailed.start(...settings))
  }

  async stop() {
    this.mails.letGo()
    await this.tessera.stop()
    await this.mails.stop()
  }

  someEmail = () => `${randomUUID()}@example.com`

  /** A person in a browser without a cookie, unless one is given. */
  browser(email = this.someEmail(), cookie = ''): Person {
    const person = new Person(this.tessera, email)
    person.cookie = cookie
    return person
  }

  post(path: string, body: object, person = this.browser(), address = someAddress()) {
    return person.post(path, body, address)
  }

  /** An account whose address is proved, signed in. */
  async member(): Promise<Person> {
    const person = await newPerson(this.tessera)
    await prove(person)
    return person
  }

  /** Signs up as a stranger does; the browser keeps its cookies. */
  async signUp(email = this.someEmail(), name = 'Ada Lovelace'): Promise<Person> {
    const person = this.browser(email)
    const response = await this.post('/api/auth/sign-up/email', { email, name, password: PASSWORD })
    if (response.status !== 200) throw new Error(`sign-up: ${response.status}`)
    person.cookie = cookieOf(response)
    return person
  }

  signIn(email: string, password: string, person = this.browser(email), address = someAddress()) {
    return this.post('/api/auth/sign-in/email', { email, password }, person, address)
  }

  /** Turns on a second step, of which no app has the secret. */
  async turnOnSecondStep(userId: PersonId) {
    const factor = { user_id: userId, secret: 'sealed', confirmed_at: 1, last_step: 0 }
    await this.tessera.database.db.insertInto('second_factors').values(factor).execute()
  }

  /** Takes the password, and every other way in, from an account. */
  async dropPassword(userId: PersonId) {
    await this.tessera.database.db.deleteFrom('accounts').where('userId', '=', userId).execute()
  }

  isSignedIn = (person: Person) => person.isSignedIn()

  /** The names of the events of the account with this address, oldest first. */
  async eventsOf(email: string): Promise<string[]> {
    return eventsOf(
      this.tessera,
      (await findAccount(this.tessera.database.db, { email }))?.id as PersonId,
    )
  }
}
