type Json = Record<string, unknown>

/** Calls a running service of any version, as a browser does: with the cookies that it was sent. */
export class Caller {
  readonly origin: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string) {
    this.origin = origin
  }

  /** Makes an account with this address, and is signed in then. */
  static async signUp(origin: string, email: string, password: string): Promise<Caller> {
    const caller = new Caller(origin)
    await caller.ask('POST', '/api/auth/sign-up/email', { email, password, name: 'Ada Lovelace' })
    return caller
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** @throws if the call is refused */
  async ask<T = Json>(method: string, path: string, body?: object): Promise<T> {
    const headers: Record<string, string> = { origin: this.origin, cookie: this.cookie }
    if (body) headers['content-type'] = 'application/json'
    const sent = body ? JSON.stringify(body) : null
    const response = await fetch(this.origin + path, { method, headers, body: sent })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      this.#cookies.set(name, value)
    }
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

  /** Makes a code with these values. */
  async code(change: object): Promise<Json & { id: string; shortCode: string }> {
    const { id } = await this.ask<{ id: string }>('POST', '/api/qr-codes/draft')
    return this.ask('PATCH', `/api/qr-codes/${id}`, change)
  }
}
