import { afterEach, describe, expect, it } from 'vitest'
import {
  addressIn,
  inWorkspace,
  keepWorkspace,
  noteRole,
  permission,
  placeOf,
} from '../../../src/client/workspace.ts'
import type { WorkspaceEntry } from '../../../src/contract/accounts/accounts.ts'
import { rightsByPath, type WorkspaceRoute } from '../../../src/contract/accounts/roles.ts'

const ID = 'w-2'

describe('an address of ours', () => {
  it('keeps the workspace of the page', () => {
    expect(keepWorkspace('/dashboard', ID)).toBe('/dashboard?workspace=w-2')
    expect(keepWorkspace('?new', ID)).toBe('?new&workspace=w-2')
    expect(keepWorkspace('/profile?settings=you#top', ID)).toBe(
      '/profile?settings=you&workspace=w-2#top',
    )
  })

  it('stays as it is in one’s own workspace', () => {
    expect(keepWorkspace('/dashboard?new', null)).toBe('/dashboard?new')
    expect(addressIn({ id: 'w-1', isOwn: true }, '/')).toBe('/')
  })

  it('keeps the workspace that it names', () => {
    const once = keepWorkspace('/subscription?tier=starter', ID)
    expect(keepWorkspace(once, ID)).toBe(once)
    expect(keepWorkspace(once, 'w-3')).toBe(once)
  })

  it('gives no other site the workspace', () => {
    for (const url of ['https://checkout.example/pay', 'mailto:a@example.com']) {
      expect(keepWorkspace(url, ID)).toBe(url)
    }
  })
})

describe('a call', () => {
  it('names the workspace unless it is about the person alone', () => {
    for (const [path, rights] of Object.entries(rightsByPath)) {
      const isOfPerson = Object.values(rights).includes('person')
      expect(inWorkspace(path, ID) !== path, path).toBe(!isOfPerson)
    }
  })

  it.each(['/api/config', '/api/share/abc/code', '/api/invitations/look'])(
    'of %s names none',
    (path) => {
      expect(inWorkspace(path, ID)).toBe(path)
    },
  )
})

describe('the page', () => {
  const own: WorkspaceEntry = {
    id: 'w-1',
    name: 'Ada',
    role: 'owner',
    isOwn: true,
    subscriptionTier: 'free',
  }
  const other: WorkspaceEntry = { ...own, id: ID, name: 'Luna', role: 'viewer', isOwn: false }

  it('is in the workspace that its address names, else in one’s own', () => {
    const workspaces = [own, other]
    expect(placeOf({ workspaces }, ID)).toBe(other)
    expect(placeOf({ workspaces }, null)).toBe(own)
    expect(placeOf({ workspaces }, 'w-9')).toBeUndefined()
    expect(placeOf({}, null)).toBeUndefined()
  })

  afterEach(() => noteRole('owner'))

  const allowed = (...routes: WorkspaceRoute[]) => routes.map((route) => permission.get()(route))

  it('offers what the role may do', async () => {
    const routes = [
      'GET /api/qr-codes',
      'POST /api/qr-codes',
      'POST /api/create-checkout-session',
      'POST /api/workspace/hand-over',
    ] as const
    expect(allowed(...routes)).toEqual([true, true, true, true])
    await noteRole('admin')
    expect(allowed(...routes)).toEqual([true, true, true, false])
    await noteRole('editor')
    expect(allowed(...routes)).toEqual([true, true, false, false])
    await noteRole('viewer')
    expect(allowed(...routes)).toEqual([true, false, false, false])
    await noteRole('billing')
    expect(allowed(...routes)).toEqual([false, false, true, false])
  })

  it('offers no change to members of a workspace with more people than its plan has room for', async () => {
    const routes = ['GET /api/qr-codes', 'POST /api/qr-codes', 'PATCH /api/workspace'] as const
    await noteRole('admin', true)
    expect(allowed(...routes)).toEqual([true, false, false])
    // Also after the role is read again
    await noteRole('admin')
    expect(allowed(...routes)).toEqual([true, false, false])
    await noteRole('admin', false)
    expect(allowed(...routes)).toEqual([true, true, true])
  })
})
