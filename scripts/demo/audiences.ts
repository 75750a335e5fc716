/** Each with its share of the whole. */
export type Shares = Readonly<Record<string, number>>

export type Device = 'phones' | 'tablets' | 'desktops'

/** Who scans a kind of code: `size` people, of whom some come again and again. */
export type Audience = {
  size: number
  countries: Shares
  devices: Readonly<Record<Device, number>>
  /** Where those come from who open the link in an app or a page instead of scanning it */
  referrers: Shares
  /** Share of all, from 0 to 1, that come so */
  referred: number
}

export const audiences = {
  neighbours: {
    size: 9_000,
    countries: { GB: 84, IE: 6, US: 3, DE: 2, FR: 2, ES: 1, PL: 1, NL: 1 },
    devices: { phones: 96, tablets: 3, desktops: 1 },
    referrers: { 'https://l.instagram.com/': 2, 'https://www.google.com/': 1 },
    referred: 0.03,
  },
  customers: {
    size: 5_000,
    countries: { GB: 61, IE: 21, DE: 7, FR: 4, NL: 3, US: 2, SE: 1, AU: 1 },
    devices: { phones: 90, tablets: 6, desktops: 4 },
    referrers: { 'https://l.instagram.com/': 5, 'https://www.google.com/': 3 },
    referred: 0.08,
  },
  travellers: {
    size: 2_000,
    countries: { GB: 44, US: 16, IE: 11, DE: 10, FR: 6, NL: 4, ES: 3, IT: 2, CA: 2, AU: 1, JP: 1 },
    devices: { phones: 95, tablets: 4, desktops: 1 },
    referrers: { 'https://www.google.com/': 1 },
    referred: 0.01,
  },
  readers: {
    size: 3_000,
    countries: { GB: 74, IE: 15, US: 5, DE: 4, FR: 2 },
    devices: { phones: 72, tablets: 5, desktops: 23 },
    referrers: {
      'https://l.instagram.com/': 12,
      'https://www.google.com/': 8,
      'https://lm.facebook.com/': 8,
      'https://www.linkedin.com/': 6,
    },
    referred: 0.34,
  },
} as const satisfies Record<string, Audience>

export type AudienceName = keyof typeof audiences
