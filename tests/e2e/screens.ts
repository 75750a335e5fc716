import { expect, type Locator, type Page } from '@playwright/test'
import { PASSWORD } from '../support/enrolment.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'

export const creating = (page: Page) => page.getByRole('dialog', { name: 'Create New QR Code' })
export const editing = (page: Page) => page.getByRole('dialog', { name: 'Edit QR Code' })
/** The dialog after the first save. */
export const ready = (page: Page) => page.getByRole('dialog', { name: 'Your code is ready' })

/** Saves the form of a dialog. */
export const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save QR Code' })
/** The picture in the form of a code, and the scan check below it. */
export const preview = (dialog: Locator) => dialog.getByRole('img', { name: 'QR code preview' })
export const scanCheck = (dialog: Locator) =>
  dialog.getByRole('status').filter({ hasText: /^(Scans:|May not scan|Hard to scan)/ })

/** The analytics of a code, or of all. */
export const drawer = (page: Page) => page.getByRole('dialog', { name: /: analytics$/ })

/** A day as the pages write it. */
export const dayText = (at: Date | number) =>
  new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium' })

/** Fills in the form of the sign-in page. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Goes on to the list. */
export async function leaveReady(page: Page): Promise<void> {
  await ready(page).getByRole('button', { name: 'Done' }).click()
  await expect(ready(page)).toBeHidden()
}

/** The row of a code in the table. */
export function row(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
}

/** The button of a row that opens the menu of its code. */
export const moreOf = (page: Page, name: string) =>
  row(page, name).getByRole('button', { name: `More for ${name}`, exact: true })

/** Chooses from the menu of a row. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await moreOf(page, name).click()
  await page.getByRole('menuitem', { name: `${action} ${name}`, exact: true }).click()
}

/** Opens a code's dialog by its name. */
export async function openCode(page: Page, name: string): Promise<Locator> {
  await row(page, name).getByRole('button', { name, exact: true }).click()
  const dialog = editing(page)
  await expect(dialog.getByLabel('QR Code Name')).toHaveValue(name)
  return dialog
}

/** Opens a code's dialog on a dashboard that was just loaded. */
export async function goToCode(page: Page, name: string): Promise<Locator> {
  await page.goto('/dashboard')
  return openCode(page, name)
}

/** Opens the dialog of a new code and waits for its draft. */
export async function openNewCode(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  const dialog = creating(page)
  await expect(save(dialog)).toBeEnabled()
  return dialog
}

/** Opens the dialog of a new code on a dashboard that was just loaded. */
export async function goToNewCode(page: Page): Promise<Locator> {
  await page.goto('/dashboard')
  return openNewCode(page)
}

/** Fills in what every new code needs. */
export async function fillIn(dialog: Locator, name: string, url: string): Promise<void> {
  await dialog.getByLabel('QR Code Name').fill(name)
  await dialog.getByLabel('Destination URL').fill(url)
}

/** Saves the form of a dialog, which closes it. */
export async function saveAndClose(dialog: Locator): Promise<void> {
  await save(dialog).click()
  await expect(dialog).toBeHidden()
}

/** The figure that stands under a term, as in the stat cards. */
export function figure(scope: Page | Locator, term: string): Locator {
  const name = new RegExp(`^${term}$`)
  return scope.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]')
}

/** Every toast on the screen. */
export const toasts = (page: Page) => page.locator('.mantine-Notification-root')

/** Waits until the only toast has this text. */
export async function expectToast(
  page: Page,
  title: string,
  message: string,
  button = '',
): Promise<void> {
  await expect(toasts(page)).toHaveText(`${title}${message}${button}`)
}

/** Closes the toasts that lie over the page: a click below one would wait until it is gone. */
export const closeToasts = (page: Page) =>
  toasts(page)
    .locator('button[aria-label="Close"]')
    .evaluateAll((all) => {
      for (const button of all as HTMLButtonElement[]) button.click()
    })

type SignInToast = { title?: string; saying: string; from: string }

/**
 * Acts, and expects the sign-in page after a toast that says why. Half a second later the toast would
 * be gone with its page, so the browser is kept here until the toast has been read.
 */
export async function expectSentToSignIn(
  page: Page,
  { title = 'Unauthorized', saying, from }: SignInToast,
  act: () => Promise<unknown>,
): Promise<void> {
  let leave = () => {}
  const read = new Promise<void>((resolve) => {
    leave = resolve
  })
  await page.route(/\/api\/login\?/, async (route) => {
    await read
    await route.continue()
  })
  // Watched in the page from the beginning: a browser on its way to another page answers nothing.
  const shown = page.waitForFunction(
    (wanted) => {
      const shownNow = document.querySelectorAll('.mantine-Notification-root')
      return [...shownNow].map((toast) => toast.textContent).join() === wanted
    },
    `${title}${saying}`,
    { timeout: STEP_LIMIT_MS },
  )
  await Promise.all([act(), shown])
  leave()
  await page.waitForURL(`/api/login?returnTo=${encodeURIComponent(from)}`)
}

/** Ends the session, after leaving any page that would make a call with it. */
export async function loseSession(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}
