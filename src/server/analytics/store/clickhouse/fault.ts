/**
 * An error of ClickHouse in words that may be logged: they hold neither its address nor its password. `code` is the
 * number of the server's error, or says why no answer came.
 */
export class ClickHouseFault extends Error {
  override name = 'ClickHouseFault'
  readonly code: string

  constructor(code: string, message = `ClickHouse does not answer: ${code}`) {
    super(message)
    this.code = code
  }
}

/** @param error what the library throws; a server that is not a ClickHouse may have written its text */
export function faultOf(error: unknown, url: string): ClickHouseFault {
  if (error instanceof ClickHouseFault) return error
  const { code, type, message } = error as { code?: string; type?: string; message: string }
  if (type) return new ClickHouseFault(`${code}`, `ClickHouse: ${type}: ${hide(message, url)}`)
  if (message === 'Timeout error.') return new ClickHouseFault('TIMEOUT')
  return new ClickHouseFault(code ?? 'UNREADABLE')
}

type Answer = { response_headers: Record<string, unknown> }

/** @throws ClickHouseFault for an answer of a proxy or another server, which lacks ClickHouse's headers; old versions have no id of a query */
export function refuseForeign({ response_headers: headers }: Answer): void {
  const isClickHouse = Object.keys(headers).some((name) => name.startsWith('x-clickhouse-'))
  if (!isClickHouse) throw new ClickHouseFault('UNREADABLE')
}

/** Takes the server's name and the password out of a text. */
function hide(text: string, url: string): string {
  const { host, hostname, username, password } = new URL(url)
  const plain = decodeURIComponent(password)
  // As it is sent, which a proxy may repeat
  const login = Buffer.from(`${decodeURIComponent(username)}:${plain}`).toString('base64')
  const secrets = [host, hostname, password, plain, login].filter(Boolean)
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  return hidden.trimEnd().replace(/\.$/, '')
}
