import Bowser from 'bowser'

/** What a User-Agent says of the machine; null where it says nothing. */
export type Device = { device: string | null; os: string | null; browser: string | null }

const NAME_MAX = 64

const deviceNames: Record<string, string> = {
  mobile: 'Mobile',
  tablet: 'Tablet',
  desktop: 'Desktop',
  tv: 'TV',
}

const named = (name: string | undefined) => name?.slice(0, NAME_MAX) || null

export function deviceOf(agent: string): Device {
  if (!agent) return { device: null, os: null, browser: null }
  const { platform, os, browser } = Bowser.parse(agent)
  return {
    device: deviceNames[platform.type ?? ''] ?? null,
    os: named(os.name),
    browser: named(browser.name),
  }
}
