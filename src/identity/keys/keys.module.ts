import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ClockService } from '../../platform/scheduling/clock.service.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { TaskSchedulerService } from '../../platform/scheduling/task-scheduler.service.js';
import { KeyRotationService } from './key-rotation.service.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeysService } from './signing-keys.service.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of signing keys. */
  interface AuditEventTypes {
    'keys.rotated': true;
    'keys.retired': true;
  }
}

/** How often the service checks whether keys must be rotated or retired. */
const ROTATION_CHECK_INTERVAL_MS = 3600_000;

/** The keys that sign tokens, and their rotation. */
@Module({
  imports: [TypeOrmModule.forFeature([SigningKey]), AuditModule, SchedulingModule],
  providers: [KeyRotationService, SigningKeysService],
  exports: [KeyRotationService, SigningKeysService],
})
export class KeysModule implements OnModuleInit {
  constructor(
    private readonly scheduler: TaskSchedulerService,
    private readonly clock: ClockService,
    private readonly rotation: KeyRotationService,
  ) {}

  onModuleInit(): void {
    this.scheduler.register({
      name: 'signing-keys',
      intervalMs: ROTATION_CHECK_INTERVAL_MS,
      run: async () => this.rotation.retireAndRotateDueKeys(await this.clock.startCleanUp()),
    });
  }
}
