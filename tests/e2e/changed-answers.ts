import type { Page } from '@playwright/test'

/** Changes what the server answers to an address. */
export async function changeAnswer(page: Page, url: string | RegExp, change: object) {
  await page.route(url, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, ...change } })
  })
}

/** Refuses the calls of an address. Without a code the answer has no body. */
export async function refuse(
  page: Page,
  url: string | RegExp,
  status: number,
  code = '',
  message = '',
) {
  const json = { code, message }
  await page.route(url, (route) => route.fulfill(code ? { status, json } : { status, body: '' }))
}
