import { serveTasks } from '../../serve-tasks.ts'
import { deriveKey } from './passwords.ts'

/** What a hashing thread is given. */
export type HashTask = { password: string; salt: Uint8Array }

serveTasks(({ password, salt }: HashTask) => deriveKey(password, salt))
