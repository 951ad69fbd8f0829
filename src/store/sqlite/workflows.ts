import type { Database } from 'better-sqlite3';
import type { WorkflowRecord } from '../../engine/ports/prepared-store.ts';
import { keptText } from '../kept-text.ts';
import type { Operations } from './operations.ts';

/** How far the analysis of a project's problem has come. */
export function workflowOperations(db: Database): Pick<Operations, 'workflow' | 'saveWorkflow'> {
  const one = db.prepare<[string, string, string, number], WorkflowRecord>(
    `SELECT state, updated_at AS updatedAt, expires_at AS expiresAt FROM workflows
     WHERE school_id = ? AND owner_id = ? AND project_id = ? AND expires_at > ?`,
  );
  return {
    workflow: ({ schoolId, userId }, projectId, now) => one.get(schoolId, userId, projectId, now) ?? null,
    saveWorkflow: workflowSaver(db),
  };
}

/** Keeps a project's workflow in place of the one before. */
export function workflowSaver(db: Database): Operations['saveWorkflow'] {
  type Values = WorkflowRecord & { schoolId: string; userId: string; projectId: string; replaces: number | null };
  const save = db.prepare<Values & { isAny: number }>(
    `INSERT INTO workflows (school_id, owner_id, project_id, state, updated_at, expires_at)
     VALUES (@schoolId, @userId, @projectId, @state, @updatedAt, @expiresAt)
     ON CONFLICT (school_id, owner_id, project_id) DO UPDATE SET state = excluded.state,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at
     WHERE @isAny = 1 OR workflows.updated_at IS @replaces OR workflows.expires_at <= @updatedAt`,
  );
  return ({ schoolId, userId }, projectId, { state, updatedAt, expiresAt, replaces }) => {
    const row = { schoolId, userId, projectId, state: keptText(state), updatedAt, expiresAt };
    save.run({ ...row, isAny: replaces === undefined ? 1 : 0, replaces: replaces ?? null });
  };
}
