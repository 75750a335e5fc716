import { beforeAll, describe, expect, test } from 'vitest'
import { newPerson } from '../support/person.ts'
import { rawAnswer } from '../support/raw-bytes.ts'
import { runTessera } from '../support/tessera.ts'

const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: qr.example.com\r\nConnection: close\r\n\r\n`

describe('on https', () => {
  const tessera = runTessera({ environment: { PUBLIC_URL: 'https://qr.example.com' } })
  let code = ''
  beforeAll(async () => {
    const owner = await newPerson(tessera)
    code = (await owner.code()).shortCode
  })

  async function answerTo(bytes: string) {
    const [head = '', body = ''] = (await rawAnswer(tessera.origin, bytes)).split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
    return { status: Number(first.split(' ')[1]), headers, body }
  }

  const answers: [string, () => string, number][] = [
    ['a redirect', () => get(`/qr/${code}`), 302],
    ['the page of where a code leads', () => get(`/qr/${code}+`), 200],
    ['a redirect on a host of a customer', () => get(`/qr/${code}`).replace('qr.', 'menu.'), 302],
    ['an unknown code there', () => get('/qr/no-such-code').replace('qr.', 'menu.'), 404],
    ['a page there', () => get('/').replace('qr.', 'menu.'), 200],
    ['an unknown code', () => get('/qr/no-such-code'), 404],
    ['a code that cannot be decoded', () => get('/qr/%zz'), 404],
    ['the landing page', () => get('/'), 200],
    ['an unknown page', () => get('/nothing'), 404],
    ['the question of a proxy', () => get('/api/tls-ask?domain=a.example'), 404],
    ['a page that cannot be decoded', () => get('/%zz'), 404],
    ['an unknown call', () => get('/api/nothing'), 404],
    ['a call that cannot be decoded', () => get('/api/%ff?%zz'), 404],
    ['a call that needs an account', () => get('/api/qr-codes'), 401],
    [
      'an event that the payment provider did not send',
      () => get('/api/billing/webhook').replace('GET', 'POST'),
      404,
    ],
    ['a method that does not exist', () => get('/').replace('GET', 'PROPFIND'), 404],
    ['bytes that are not HTTP', () => 'hello\r\n\r\n', 400],
    [
      'a head that is too long',
      () => get('/').replace('Host', `Cookie: a=${'x'.repeat(20_000)}\r\nHost`),
      431,
    ],
    ['no host', () => get('/').replace(/Host: [^\r]+\r\n/, ''), 400],
    ['two hosts', () => get('/').replace('Host', 'HOST: other.example\r\nHost'), 400],
    ['two hosts for a code', () => get(`/qr/${code}`).replace('Host', 'host: a\r\nHost'), 400],
  ]

  test.each(answers)(
    'the answer to %s has the headers of every answer',
    async (_case, bytes, status) => {
      const answer = await answerTo(bytes())
      expect(answer.status).toBe(status)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      // The subdomains of another host are not ours.
      const isOurs = bytes().includes('\r\nHost: qr.example.com') && ![400, 431].includes(status)
      const wanted = isOurs ? 'max-age=31536000; includeSubDomains' : 'max-age=31536000'
      expect(answer.headers.get('strict-transport-security')).toBe(wanted)
      // Each once: a header that came twice would be joined with a comma.
      expect(answer.headers.get('content-type') ?? '').not.toContain(',')
    },
  )

  test('a page that cannot be decoded is the 404 page, with its policy', async () => {
    const [broken, unknown] = [await answerTo(get('/%zz')), await answerTo(get('/nothing'))]
    expect(broken.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(Object.keys(broken)).toEqual(Object.keys(unknown))
    expect(broken.body).toBe(unknown.body)
    expect([...broken.headers.keys()]).toEqual([...unknown.headers.keys()])
    const code = await answerTo(get('/qr/%zz'))
    expect(code.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('a refusal of a host is in the contract’s shape, and ends the connection', async () => {
    const { headers, body } = await answerTo(
      get('/').replace('Host', 'Host: other.example\r\nHost'),
    )
    expect(headers.get('connection')).toBe('close')
    expect(JSON.parse(body)).toMatchObject({ code: 'bad_request' })
  })

  test('HTTP/1.0, which has no host, is answered', async () => {
    expect((await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })
})
