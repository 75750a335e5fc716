import type { AccountsRoomDeps } from './accounts/accounts-room.ts'
import { forgetCodes } from './analytics/analytics-room.ts'
import { findFigureMails, stopFigureMails } from './analytics/mails/figure-mails-store.ts'
import { EVER, type ScansStore } from './analytics/store/scans-store.ts'
import { planNotices } from './billing/plan-notices.ts'
import { purgeCodes } from './codes/cleanup.ts'
import { codesByDomain, endingCodes, usedSlots } from './codes/codes-store.ts'
import { codesToExport } from './codes/export-codes.ts'
import { deadCodes } from './codes/health/checks-store.ts'
import { forgetDomains, presentDomains } from './domains/domains-store.ts'
import type { RoomDeps } from './room.ts'
import { forgetWebhooks } from './webhooks/events-store.ts'

type Leaving = AccountsRoomDeps['leaving']
type ExportSources = Leaving['exportSources']

type Deps = RoomDeps &
  Pick<Leaving, 'stopRenewal' | 'endPlan' | 'takeOverPlan' | 'endFormer'> &
  Pick<ExportSources, 'planOf' | 'draw' | 'inListTurn'> & {
    scans: ScansStore
    announce: (keys: string[]) => void
  }

/** The parts of an account that other rooms hold, for its archive, its notices and its end */
export function deletionParts(deps: Deps): Leaving {
  const { config, db, reads, stopRenewal, endPlan, takeOverPlan, endFormer, scans } = deps
  return {
    exportSources: exportSources(deps),
    stopRenewal,
    endPlan,
    takeOverPlan,
    endFormer,
    // It may be repeated.
    purgeCodes: async (workspaceId) => {
      const onCodeChanged = deps.announce
      await purgeCodes({ db, forgetScans: forgetCodes(scans), onCodeChanged }, workspaceId)
      await scans.forgetAccount(workspaceId)
      await stopFigureMails(db, workspaceId)
      await forgetWebhooks(db, workspaceId)
      await forgetDomains(db, workspaceId)
    },
    endingCodes: (part) => endingCodes(reads, part),
    deadCodes: (part) => deadCodes(reads, part),
    planNotices: (part) => planNotices(reads, { ...part, stripeMails: config.stripeMails }),
  }
}

function exportSources(deps: Deps): ExportSources {
  const { db, reads, scans, publicUrl, planOf, draw, inListTurn } = deps
  return {
    planOf,
    draw,
    inListTurn,
    codeCount: (workspaceId) => usedSlots(db, workspaceId),
    ...codesToExport(reads, publicUrl),
    domainsOf: async (workspaceId) => {
      const codes = await codesByDomain(reads, workspaceId)
      return presentDomains(reads, { workspaceId, ours: new URL(publicUrl).hostname, codes })
    },
    scansOf: (workspaceId, ids) => scans.of(workspaceId).sumsByCode(ids, [EVER]),
    scansByDay: (workspaceId, id) => scans.of(workspaceId).totalsByDay(id),
    figureMailsOf: async (workspaceId) =>
      (await findFigureMails(reads, workspaceId))?.every ?? 'off',
  }
}
