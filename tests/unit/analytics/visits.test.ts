import { describe, expect, test } from 'vitest'
import {
  agentOf,
  classify,
  languageOf,
  referrerOf,
} from '../../../src/server/analytics/record/classification.ts'
import { IPHONE } from '../../support/visitors.ts'

const GERMAN_ADDRESS = '85.214.132.117'

const visitWith = (headers: Record<string, string>, method = 'GET') => ({
  method,
  address: GERMAN_ADDRESS,
  headers: { 'user-agent': IPHONE, ...headers },
})

describe('a visit', () => {
  const AHEAD = 'prefetch;prerender'
  const crawler = 'Googlebot/2.1 (+http://www.google.com/bot.html)'
  test.each([
    ['of a person', {}, 'person', '3:person'],
    ['of a crawler', { 'user-agent': crawler }, 'bot', '3:isbot:Google'],
    ['without a User-Agent', { 'user-agent': '' }, 'bot', '3:agent:absent'],
    ['for a preview', { 'user-agent': 'WhatsApp/2.23.20.0 A' }, 'preview', '3:preview:WhatsApp'],
    ['with Sec-Purpose', { 'sec-purpose': AHEAD }, 'prefetch', `3:purpose:${AHEAD}`],
    ['with Purpose', { purpose: 'prefetch' }, 'prefetch', '3:purpose:prefetch'],
    ['with X-Purpose', { 'x-purpose': 'preview' }, 'prefetch', '3:purpose:preview'],
    ['by an image of a page', { 'sec-fetch-dest': 'image' }, 'bot', '3:part:image'],
    ['by a script of a page', { 'sec-fetch-dest': 'empty' }, 'bot', '3:part:empty'],
    ['that opens the link', { 'sec-fetch-dest': 'document' }, 'person', '3:person'],
    ['that a later browser makes', { 'sec-fetch-dest': 'hologram' }, 'person', '3:person'],
    ['with X-Moz', { 'x-moz': 'prefetch' }, 'prefetch', '3:purpose:prefetch'],
  ])('%s gets its class by a rule', (_, headers, scanClass, rule) => {
    const visit = visitWith(headers as Record<string, string>)
    expect(classify(visit)).toEqual({ class: scanClass, rule })
  })

  test('by HEAD is no person', () => {
    expect(classify(visitWith({}, 'HEAD'))).toEqual({ class: 'head', rule: '3:method:head' })
  })

  test.each([
    [{ referer: 'http://[::zz', 'accept-language': ',,;q=\t*' }, null, null],
    [
      { referer: 'android-app://com.google.android.gm/', 'accept-language': '*' },
      'com.google.android.gm',
      null,
    ],
    [{ referer: 'about:client', 'accept-language': 'x'.repeat(3_000) }, null, null],
    [
      {
        referer: 'https://News.Example.com:8443/story?id=7#top',
        'accept-language': 'de-AT,de;q=0.9,en;q=0.5',
      },
      'news.example.com',
      'de',
    ],
  ])('with the headers %o has a referrer and a language', (headers, referrer, language) => {
    const visit = visitWith(headers)
    expect([referrerOf(visit), languageOf(visit)]).toEqual([referrer, language])
  })

  test('with a long User-Agent keeps its first 512 characters', () => {
    expect(agentOf(visitWith({ 'user-agent': 'x'.repeat(8_000) }))).toBe('x'.repeat(512))
  })
})
