import { expect, test } from 'vitest'
import { shownAddress } from '#contract/shown-address.ts'

test.each([
  ['https://müller.de:8080/straße?q=ü#ö', 'https://müller.de:8080/straße?q=ü#ö'],
  ['https://日本語.jp/東京', 'https://日本語.jp/東京'],
  ['https://한국.com/', 'https://한국.com/'],
  ['https://президент.рф/я', 'https://президент.рф/я'],
  // Letters that look like Latin ones, alone and mixed, and what changes the places of others
  ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/'],
  ['https://pаypal.com/', 'https://xn--pypal-4ve.com/'],
  ['https://ɡoogle.com/', 'https://xn--oogle-qmc.com/'],
  ['https://google.ελ.com/', 'https://google.xn--qxam.com/'],
  ['https://אבג.com/', 'https://xn--4dbcd.com/'],
  // Parts of the address, and characters that cannot be seen
  [
    'https://a.de/%2F%3F%23%25%20%00/\u2028\u202e\u200b\uff0f\ue000',
    'https://a.de/%2F%3F%23%25%20%00/%E2%80%A8%E2%80%AE%E2%80%8B%EF%BC%8F%EE%80%80',
  ],
  ['https://a.de/%FF%E4', 'https://a.de/%FF%E4'],
  ['', ''],
])('%j is shown as %j', (typed, shown) => {
  expect(shownAddress(URL.parse(typed)?.href ?? typed)).toBe(shown)
})
