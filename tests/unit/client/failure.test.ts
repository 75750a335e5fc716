import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../src/client/api.ts'
import { canShare, shareLink } from '../../../src/client/codes/links.ts'
import { reportErrors } from '../../../src/client/codes/list/batch.ts'
import { reportFailure, reportPlainFailure } from '../../../src/client/ui/messages/failure.ts'
import { toast } from '../../../src/client/ui/messages/toast.tsx'

afterEach(() => vi.restoreAllMocks())

test.each([
  [true, 'Failed to save QR code'],
  [false, 'Failed to save QR code. You’re offline.'],
])('a failure says that the browser is offline: online %s', (onLine, text) => {
  vi.stubGlobal('navigator', { onLine })
  const error = vi.spyOn(toast, 'error')
  for (const report of [reportFailure, reportPlainFailure])
    report(new TypeError('Failed to fetch'), 'Failed to save QR code')
  expect(error.mock.calls).toEqual([[text], [text]])
  reportPlainFailure(new ApiError(500, 'Broken', ''), 'Failed to delete QR code')
  expect(error).toHaveBeenLastCalledWith('Failed to delete QR code')
})

test('a change in the live demo is no error, of one code or of many', () => {
  const error = vi.spyOn(toast, 'error')
  const success = vi.spyOn(toast, 'success')
  const body = JSON.stringify({ message: 'This is a demo.', code: 'demo_read_only' })
  const refused = new ApiError(403, 'Forbidden', body)
  reportFailure(refused, 'Failed to save QR code')
  reportErrors([refused, refused], '2 of 2 couldn’t be paused')
  const title = 'Only in your own account'
  expect(success.mock.calls).toEqual([
    ['This is a demo.', title],
    ['2 of 2 couldn’t be paused. This is a demo.', title],
  ])
  expect(error).not.toHaveBeenCalled()
})

test('only a touched device with a list of apps shares, and closing the list is no failure', async () => {
  const share = vi.fn(() => Promise.reject(new DOMException('Closed', 'AbortError')))
  for (const matches of [true, false]) {
    vi.stubGlobal('matchMedia', () => ({ matches }))
    vi.stubGlobal('navigator', { share })
    expect(canShare()).toBe(matches)
    vi.stubGlobal('navigator', {})
    expect(canShare()).toBe(false)
  }
  vi.stubGlobal('navigator', { share })
  await shareLink('https://example.com/qr/abc', 'Menu')
  expect(share).toHaveBeenCalledWith({ title: 'Menu', url: 'https://example.com/qr/abc' })
})
