import type {
  MadeInvitation,
  NewInvitation,
  Workspace,
  WorkspaceChange,
} from '#contract/accounts/team.ts'
import { requestJson } from '../../../api.ts'

export const WORKSPACE = '/api/workspace'

export const saveWorkspace = (body: WorkspaceChange) =>
  requestJson<Workspace>('PATCH', WORKSPACE, body)

/** Invites a person, in place of an earlier invitation of the same address. */
export const invite = (body: NewInvitation) =>
  requestJson<MadeInvitation>('POST', `${WORKSPACE}/invitations`, body)

export const memberPath = (id: string) => `${WORKSPACE}/members/${id}`
