import type { Db } from '../database/schema.ts'
import type { Room, RoomDeps } from '../room.ts'
import { DrawingPool, type PoolOptions } from './drawing-pool.ts'
import { Drawings, type FindLogo } from './drawings.ts'
import type { PictureProcessLimits } from './uploads/picture-process.ts'
import { UploadedPictures } from './uploads/uploaded-pictures.ts'

type Deps = Pick<RoomDeps, 'log' | 'reads'> & {
  drawing: Partial<PoolOptions> | undefined
  uploadLimits: Partial<PictureProcessLimits> | undefined
  findLogo: (db: Db, id: string) => ReturnType<FindLogo>
}

/** The threads that draw codes, and the process that reads pictures of users. */
export function picturesRoom({ log, reads, drawing, uploadLimits, findLogo }: Deps) {
  const pool = new DrawingPool(drawing)
  const uploads = new UploadedPictures(log, uploadLimits)
  return {
    drawings: new Drawings(pool, (id) => findLogo(reads, id)),
    uploads,
    metrics: () => [...pool.metrics(), ...uploads.metrics()],
    stop: async () => {
      await Promise.all([pool.stop(), uploads.stop()])
    },
  } satisfies Room & { drawings: Drawings; uploads: UploadedPictures }
}
