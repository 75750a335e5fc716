import { expect, test } from './fixtures.ts'
import { row } from './screens.ts'

const LONG = `Menu ${'w'.repeat(60)} for the summer, with everything that a long name can do`

test('a long name takes two lines of the list and says all of itself in its title', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: LONG })
  await page.goto('/dashboard')
  const name = row(page, LONG).getByRole('button', { name: LONG, exact: true })
  await expect(name).toHaveAttribute('title', LONG)
  const lines = await name.evaluate((button) => {
    const { lineHeight } = getComputedStyle(button)
    return button.getBoundingClientRect().height / Number.parseFloat(lineHeight)
  })
  expect(Math.round(lines)).toBe(2)
})

test('the actions of neighbouring cards are level, however much one says', async ({
  page,
  member,
}) => {
  const account = await member()
  await account.code({ name: LONG })
  await account.code({ name: 'Poster' })
  await page.setViewportSize({ width: 768, height: 1024 })
  await page.goto('/dashboard')
  const boxes = [LONG, 'Poster'].map((name) =>
    row(page, name).getByRole('button', { name: 'Pause' }).boundingBox(),
  )
  const [one, other] = await Promise.all(boxes)
  expect(one?.x).not.toBe(other?.x)
  expect(one?.y).toBe(other?.y)
})
