import { expect, test } from './fixtures.ts'
import { moreOf, row } from './screens.ts'

const LONG = `Menu ${'w'.repeat(60)} for the summer, with everything that a long name can do`

test('a long name takes two lines, and the actions of neighbouring cards stay level', async ({
  page,
  member,
}) => {
  const account = await member()
  await account.code({ name: LONG })
  await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  const name = row(page, LONG).getByRole('button', { name: LONG, exact: true })
  await expect(name).toHaveAttribute('title', LONG)
  const lines = await name.evaluate((button) => {
    const { lineHeight } = getComputedStyle(button)
    return button.getBoundingClientRect().height / Number.parseFloat(lineHeight)
  })
  expect(Math.round(lines)).toBe(2)

  await page.setViewportSize({ width: 768, height: 1024 })
  const boxes = [LONG, 'Poster'].map((code) => moreOf(page, code).boundingBox())
  const [one, other] = await Promise.all(boxes)
  expect(one?.x).not.toBe(other?.x)
  expect(one?.y).toBe(other?.y)
})
