import type { MadeInvitation, NewInvitation, Workspace, WorkspaceChange } from '#contract/team.ts'
import { request, requestJson } from '../../../api.ts'
import { withProof } from '../proof.tsx'

export const WORKSPACE = '/api/workspace'
const INVITATIONS = `${WORKSPACE}/invitations`

export const saveWorkspace = (body: WorkspaceChange) =>
  requestJson<Workspace>('PATCH', WORKSPACE, body)

export const invite = (body: NewInvitation) =>
  requestJson<MadeInvitation>('POST', INVITATIONS, body)

export const inviteAgain = (id: string) =>
  requestJson<MadeInvitation>('POST', `${INVITATIONS}/${id}/resend`)

export const withdraw = (id: string) => request('DELETE', `${INVITATIONS}/${id}`)

export const memberPath = (id: string) => `${WORKSPACE}/members/${id}`

/** Offers the workspace to a member, who becomes its owner by accepting. */
export const offerTo = (memberId: string) =>
  withProof((password) =>
    requestJson<MadeInvitation>('POST', `${WORKSPACE}/hand-over`, { memberId, password }),
  )
