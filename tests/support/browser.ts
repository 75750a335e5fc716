/** The page that a browser shows in the end, and the addresses that led there */
export type Visit = { status: number; url: URL; html: string; way: URL[]; headers: Headers }

type Cookie = { name: string; value: string; path: string }

const REDIRECTS_MAX = 20

/** Follows links and redirects between sites as a browser does, with cookies of its own for each site. */
export class Browser {
  readonly #cookies = new Map<string, Cookie[]>()

  /** @param until goes no further than to an address of which this is true */
  async open(address: string | URL, until: (url: URL) => boolean = () => false): Promise<Visit> {
    let url = new URL(address)
    const way = [url]
    for (let redirects = 0; redirects < REDIRECTS_MAX; redirects++) {
      const response = await this.fetch(url)
      const next = response.headers.get('location')
      if (!next) return shown(response, url, way)
      url = new URL(next, url)
      way.push(url)
      if (until(url)) return shown(response, url, way)
    }
    throw new Error(`no end of redirects: ${way.map(String).join(' → ')}`)
  }

  /** One request, without following where it leads. */
  async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = this.cookiesFor(url)
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) this.#keep(url, set)
    return response
  }

  cookiesFor(url: URL): string {
    return (this.#cookies.get(url.host) ?? [])
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  /** Sets a cookie as if the site had. */
  give(url: string | URL, header: string) {
    for (const pair of header.split('; ')) this.#keep(new URL(url), pair)
  }

  #keep(url: URL, header: string) {
    const [pair = '', ...attributes] = header.split(/; */)
    const at = pair.indexOf('=')
    const cookie: Cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path: '/' }
    let isOver = false
    for (const attribute of attributes) {
      const [key = '', value = ''] = attribute.toLowerCase().split('=')
      if (key === 'path') cookie.path = attribute.slice('path='.length)
      if (key === 'max-age' && Number(value) <= 0) isOver = true
      if (key === 'expires' && new Date(attribute.slice('expires='.length)) < new Date())
        isOver = true
    }
    const others = (this.#cookies.get(url.host) ?? []).filter(
      ({ name, path }) => name !== cookie.name || path !== cookie.path,
    )
    this.#cookies.set(url.host, isOver ? others : [...others, cookie])
  }
}

async function shown(response: Response, url: URL, way: URL[]): Promise<Visit> {
  const { status, headers } = response
  return { status, url, way, headers, html: await response.text() }
}
