import { serveTasks } from '../../work-threads.ts'
import { deriveKey } from './passwords.ts'

/** A task of a hashing thread */
export type HashTask = { password: string; salt: Uint8Array }

serveTasks(({ password, salt }: HashTask) => deriveKey(password, salt))
