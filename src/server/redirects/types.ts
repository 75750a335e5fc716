import type { WorkspaceId } from '../database/ids.ts'

/** A customer's host, on which the names of its owner lead. `homeUrl` is where its root and unknown names lead. */
export type Site = { id: string; workspaceId: WorkspaceId; homeUrl: string | null }

/** Finds the customer's host that a Host header names. */
export type SitesByHost = { get: (host: string | undefined) => Site | undefined }
