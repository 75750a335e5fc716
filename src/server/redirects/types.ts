import type { WorkspaceId } from '../database/ids.ts'

/** A customer's domain, on which the names of its owner lead. `homeUrl` is where its root and unknown names lead. */
export type Domain = { id: string; workspaceId: WorkspaceId; homeUrl: string | null }

/** Finds the customer's domain that a Host header names. */
export type DomainsByHost = { get: (host: string | undefined) => Domain | undefined }
