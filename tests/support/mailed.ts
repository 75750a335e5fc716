import { randomUUID } from 'node:crypto'
import type { Derive } from '../../src/server/accounts/passwords/passwords.ts'
import type { Engine } from '../../src/server/database/connect.ts'
import { BEHIND_PROXY, someAddress } from './crowd.ts'
import { PASSWORD } from './enrolment.ts'
import { MailServer } from './mail-server.ts'
import { cookieOf, newPerson, Person } from './person.ts'
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
    return person.call(path, { method: 'POST', body, headers: { 'x-forwarded-for': address } })
  }

  /** An account whose address is proved, signed in. */
  async member(): Promise<Person> {
    const person = await newPerson(this.tessera)
    await this.tessera.database.db
      .updateTable('users')
      .set({ emailVerified: this.tessera.config.databaseUrl ? true : 1 })
      .where('id', '=', person.id)
      .execute()
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

  isSignedIn = async (person: Person) => (await person.call('/api/auth/user')).status === 200

  /** The names of an account's events, oldest first. */
  async eventsOf(email: string): Promise<string[]> {
    const rows = await this.tessera.database.db
      .selectFrom('audit_entries')
      .innerJoin('users', 'users.id', 'audit_entries.user_id')
      .select('event')
      .where('email', '=', email)
      .orderBy('at')
      .execute()
    return rows.map(({ event }) => event)
  }
}
