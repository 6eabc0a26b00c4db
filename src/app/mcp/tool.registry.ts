import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Caller } from '../../identity/scopes/caller.decorator.js';
import { RequireScope } from '../../identity/scopes/require-scope.decorator.js';
import { type Scope, SCOPE_ACCESS } from '../../identity/scopes/scopes.js';
import { Tool, type ToolArguments, type ToolDescription } from './tool.decorator.js';

/** A tool with its method. */
export interface RegisteredTool extends ToolDescription {
  /** The scopes that it requires, that of `@RequireScope` first. */
  scopes: [Scope, ...Scope[]];
  /** Whether its calls count as reads or as writes. */
  access: 'read' | 'write';
  run: (caller: Caller, args: ToolArguments) => Promise<object>;
}

/** Finds all tools. A tool without a scope stops the start. */
@Injectable()
export class ToolRegistry implements OnModuleInit {
  private readonly tools = new Map<string, RegisteredTool>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error for a tool without `@RequireScope`, or with the name of another */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object))
        this.register(instance as Record<string, unknown>, method);
    }
  }

  list(): RegisteredTool[] {
    return [...this.tools.values()];
  }

  find(name: string): RegisteredTool | undefined {
    return this.tools.get(name);
  }

  private register(provider: Record<string, unknown>, method: string): void {
    const handler = provider[method] as () => unknown;
    const description = typeof handler === 'function' ? this.reflector.get(Tool, handler) : undefined;
    if (!description) return;
    const { name, additionalScope } = description;
    const scope = this.reflector.get(RequireScope, handler);
    if (!scope) throw new Error(`The tool ${name} must say what it needs, by @RequireScope.`);
    if (this.tools.has(name)) throw new Error(`Two tools have the name ${name}.`);
    this.tools.set(name, {
      ...description,
      scopes: additionalScope ? [scope, additionalScope] : [scope],
      access: SCOPE_ACCESS[scope] === 'write' ? 'write' : 'read',
      run: handler.bind(provider) as RegisteredTool['run'],
    });
  }
}
