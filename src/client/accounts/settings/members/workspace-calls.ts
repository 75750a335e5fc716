import type { Workspace } from '#contract/team.ts'

export const WORKSPACE = '/api/workspace'

export type ShownWorkspace = Workspace
