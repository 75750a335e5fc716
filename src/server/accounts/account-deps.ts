import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from '#contract/accounts/audit.ts'
import type { Recording } from '../audit.ts'
import type { EntitlementsOf } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Tx } from '../database/schema.ts'
import type { Mailer } from '../mail/mail-room.ts'
import type { UploadedPictures } from '../pictures/uploads/uploaded-pictures.ts'
import type { RoomDeps } from '../room.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { Hashing } from './passwords/hashing.ts'
import type { DemoSession } from './sessions/demo-session.ts'
import type { Hook } from './sessions/require-user.ts'
import type { Sessions } from './sessions/sessions.ts'

/** The functions and objects of other rooms that accounts use */
export type OtherRooms = {
  record: Recording<AuditEvent>
  hashing: Hashing
  mailer: Mailer
  uploads: UploadedPictures
  entitlementsOf: EntitlementsOf
  /** Called when the clocks of an account show another time. */
  onZoneChanged: (tx: Tx, workspaceId: WorkspaceId, timeZone: string) => Promise<void>
  /** Switches an account's mailed reports off. Returns false if they were off. */
  stopFigureMails: (tx: Tx, workspaceId: WorkspaceId) => Promise<boolean>
  /**
   * Ends an account's webhooks, share links and mailed reports, and what its new codes begin with.
   * @returns the hosts of its domains, which stay
   */
  endSharing: (tx: Tx, workspaceId: WorkspaceId) => Promise<string[]>
}

/**
 * Proof that the owner acts, and not a passer-by at a browser that is signed in: a fresh sign-in of
 * this session, else the account's password.
 * @throws AppError sign_in_again, wrong_password, rate_limited
 */
export type DemandOwner = (request: FastifyRequest, password: string | undefined) => Promise<void>

/** The dependencies of this room's parts. accounts-room.ts makes them once. */
export type AccountDeps = RoomDeps &
  OtherRooms & {
    later: BackgroundTasks
    sessions: Sessions
    /** Undefined on a server without a live demo */
    demo: DemoSession | undefined
    requireUser: Hook
    /** Before what changes the sign-in itself: only the sign-in counts without a password. */
    demandOwner: DemandOwner
    /** The same for all else: a proof in this session of the last 15 minutes counts too. */
    demandRecentProof: DemandOwner
  }
